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

    /// Takes the numbers of a list in order, as far as it goes.
    fn fill(&mut self, cells: &mut std::slice::Iter<Self::Cell>);
}

impl Numbers for i32 {
    type Cell = i32;

    fn lengths() -> Vec<usize> {
        Vec::new()
    }

    fn list(&self, cells: &mut Vec<i32>) {
        cells.push(*self);
    }

    fn fill(&mut self, cells: &mut std::slice::Iter<i32>) {
        *self = cells.next().copied().unwrap_or(*self);
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

    fn fill(&mut self, cells: &mut std::slice::Iter<Pair>) {
        *self = cells.next().copied().unwrap_or(*self);
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

    fn fill(&mut self, cells: &mut std::slice::Iter<T::Cell>) {
        self.iter_mut().for_each(|part| part.fill(cells));
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

    /// Replaces all numbers.
    fn fill(&mut self, cells: &[Self::Cell]);

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

            fn fill(&mut self, cells: &[$cell]) {
                let mut cells = cells.iter();
                $(self.$name.fill(&mut cells);)*
            }
        }
    };
}

pub(in crate::eval) use group;
