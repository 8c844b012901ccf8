//! Groups of numbers: structs that the evaluation reads by name and the tuner as a flat list.
//!
//! `weights.rs` declares the groups with [`group!`], `values.rs` fills them, [`super::trace::Recorder`] finds the
//! place of a number by its address, and `lab/tune` lists them all and writes them back as source.

use std::mem::size_of;

use super::pair::Pair;

/// A number, or arrays of such.
pub trait Numbers {
    /// One number.
    type Cell: Copy;

    /// The lengths of the arrays, outermost first; none for a single number.
    fn lengths() -> Vec<usize>;

    /// Appends every number in order.
    fn list(&self, cells: &mut Vec<Self::Cell>);
}

impl Numbers for i32 {
    type Cell = i32;

    fn lengths() -> Vec<usize> {
        Vec::new()
    }

    fn list(&self, cells: &mut Vec<i32>) {
        cells.push(*self);
    }
}

impl Numbers for Pair {
    type Cell = Pair;

    fn lengths() -> Vec<usize> {
        Vec::new()
    }

    fn list(&self, cells: &mut Vec<Pair>) {
        cells.push(*self);
    }
}

impl<T: Numbers, const LENGTH: usize> Numbers for [T; LENGTH] {
    type Cell = T::Cell;

    fn lengths() -> Vec<usize> {
        let mut lengths = vec![LENGTH];
        lengths.extend(T::lengths());
        lengths
    }

    fn list(&self, cells: &mut Vec<T::Cell>) {
        self.iter().for_each(|part| part.list(cells));
    }
}

/// A field of a group.
pub struct Field {
    /// As the source writes it.
    pub name: &'static str,
    /// The lengths of its arrays, outermost first; none for a single number.
    pub lengths: Vec<usize>,
}

impl Field {
    /// How many numbers it holds.
    pub fn size(&self) -> usize {
        self.lengths.iter().product()
    }
}

/// A struct that holds nothing but numbers of one type.
pub trait Group: Sized + 'static {
    /// One number.
    type Cell: Copy + 'static;

    /// How many numbers there are.
    const COUNT: usize = size_of::<Self>() / size_of::<Self::Cell>();

    /// The fields in order.
    fn fields() -> Vec<Field>;

    /// All numbers in order.
    fn cells(&self) -> Vec<Self::Cell>;

    /// The place of a number in the flat list. It must be a part of this group.
    fn index_of(&'static self, cell: &'static Self::Cell) -> usize {
        let offset = std::ptr::from_ref(cell).addr().wrapping_sub(std::ptr::from_ref(self).addr());
        debug_assert!(offset < size_of::<Self>(), "a number from outside the group");
        offset / size_of::<Self::Cell>()
    }
}

/// Declares a group: the struct, and how it becomes a flat list.
macro_rules! group {
    ($(#[$about:meta])* $group:ident of $cell:ty { $($(#[$doc:meta])* $name:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[repr(C)]
        pub struct $group {
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl Group for $group {
            type Cell = $cell;

            fn fields() -> Vec<Field> {
                vec![$(Field { name: stringify!($name), lengths: <$kind as Numbers>::lengths() },)*]
            }

            fn cells(&self) -> Vec<$cell> {
                let mut cells = Vec::with_capacity(Self::COUNT);
                $(self.$name.list(&mut cells);)*
                cells
            }
        }
    };
}

pub(super) use group;
