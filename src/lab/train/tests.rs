//! Small runs from beginning to end: they learn, they can be repeated and continued, and what they write can be played.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use rand::Rng;
use tempfile::TempDir;

use super::checkpoint::{Point, replace_file};
use super::trainer::{Moment, Watcher, mean_loss};
use super::*;
use crate::base::Color;
use crate::chess::Position;
use crate::eval::Classical;
use crate::fairy::variants;
use crate::game::Evaluator;
use crate::lab::games::{GameRecord, GameResult, GameWriter, Ply};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

fn arguments(line: &str) -> Arguments {
    Line::parse_from(format!("train --quiet {line}").split_whitespace()).arguments
}

/// A file of random games, valued by the classical evaluation and won by whom it prefers in the end.
fn games(folder: &TempDir, count: u64) -> String {
    let path = folder.path().join("games.rsg");
    let mut writer = GameWriter::create(&path, variants::chess(), "").unwrap();
    let mut evaluator = Classical::new();
    for number in 0..count {
        let mut random = StdRng::seed_from_u64(number);
        let start = Position::start();
        let mut position = start.clone();
        let mut plies = Vec::new();
        for _ in 0..70 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.random_range(0..moves.len())];
            plies.push(Ply::new(mv, evaluator.evaluate(&position)));
            position.make(mv);
        }
        let value = evaluator.evaluate(&position).value();
        let for_white = if position.side_to_move() == Color::White { value } else { -value };
        let result = match for_white {
            -150..=150 => GameResult::Draw,
            value => GameResult::win_for(Color::from_bool(value > 0)),
        };
        writer.write(&GameRecord { start, result, plies }).unwrap();
    }
    path.to_string_lossy().into_owned()
}

/// Remembers what it is told, and the checkpoint after one epoch.
#[derive(Default)]
struct Recorder {
    curve: Vec<Point>,
    saved: Vec<u8>,
    save_after: u32,
}

impl Watcher for Recorder {
    fn batch(&mut self, moment: &Moment) {
        assert!(moment.loss.is_finite() && moment.positions <= moment.learned);
    }

    fn point(&mut self, state: &State, moment: &Moment) {
        let last = state.curve.last().unwrap();
        assert!(last.epochs > f64::from(moment.epoch - 1) && last.epochs < f64::from(moment.epoch));
    }

    fn epoch(&mut self, state: &State, _: &Moment, _: bool) -> Result<(), Error> {
        self.curve = state.curve.clone();
        if state.epoch == self.save_after {
            self.saved = state.encode(7);
        }
        Ok(())
    }
}

/// Runs the plan of a command from a state.
fn run_plan(line: &str, state: &mut State, recorder: &mut Recorder) -> (Survey, Plan) {
    let arguments = arguments(line);
    let source = source(&arguments);
    let survey = source.survey(|_| {}).unwrap();
    let plan = plan(&arguments, &survey);
    let never = AtomicBool::new(false);
    trainer::train(state, &source, &survey, &plan, &never, recorder).unwrap();
    (survey, plan)
}

fn fresh(seed: u64) -> State {
    State::new(Rows::random(&mut StdRng::seed_from_u64(seed)))
}

#[test]
fn learning_lowers_the_loss_on_games_never_seen() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "{} --epochs 4 --batch 128 --validation 5 --lambda 0.1 --rate 0.002 --points 2",
        games(&folder, 600)
    );
    let (mut state, mut recorder) = (fresh(1), Recorder::default());
    let untrained = state.weights.clone();
    let (survey, plan) = run_plan(&line, &mut state, &mut recorder);
    let epochs: Vec<f64> = recorder.curve.iter().map(|point| point.epochs).collect();
    assert_eq!(epochs.len(), 8);
    assert!(epochs.is_sorted() && epochs.iter().skip(1).step_by(2).eq(&[1.0, 2.0, 3.0, 4.0]), "{epochs:?}");
    assert!(epochs.iter().step_by(2).all(|epochs| (0.4..0.6).contains(&epochs.fract())), "{epochs:?}");
    let loss = |weights: &Rows| {
        mean_loss(&survey.validation, 2, |_, sample| {
            f64::from(weights.loss(sample, plan.blend.target(sample)))
        })
    };
    let (before, after) = (loss(&untrained), loss(&state.weights));
    assert!(after < 0.5 * before, "{before} became {after}");
    assert!((after - recorder.curve[7].validation).abs() < 1e-9);

    // The whole numbers of the network say nearly what the model says.
    let origin = crate::eval::nnue::network::Origin { positions: 1, epochs: 4, validation_loss: 0.0 };
    let network = quantize::network(&state.weights, plan.blend.scale_cp, origin);
    assert!(file::check(&network).is_ok());
    let (mut apart, mut size) = (0.0, 0.0);
    for sample in &survey.validation {
        let [ours, theirs] = sample.inputs();
        let whole = network.value_of_inputs([&ours, &theirs], sample.bucket()) as f32;
        let value = state.weights.value(sample) * plan.blend.scale_cp.round();
        apart += (whole - value).abs();
        size += value.abs();
    }
    assert!(apart < 0.05 * size, "{apart} of {size} centipawns in all");
    assert_eq!(quantize::network(&quantize::model(&network), f32::from(network.scale_cp()), origin), network);
}

#[test]
fn the_same_seed_gives_the_same_weights_and_a_continued_run_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = games(&folder, 12);
    for threads in [1, 2] {
        let line = format!("{file} --epochs 3 --batch 64 --validation 4 --threads {threads}");
        let mut whole = fresh(2);
        let mut recorder = Recorder { save_after: 1, ..Recorder::default() };
        run_plan(&line, &mut whole, &mut recorder);
        let mut again = fresh(2);
        run_plan(&line, &mut again, &mut Recorder::default());
        assert!(whole == again, "{threads} threads");
        let (mut continued, settings) = State::decode(&recorder.saved).unwrap();
        assert_eq!((continued.epoch, settings), (1, 7));
        run_plan(&line, &mut continued, &mut Recorder::default());
        assert!(whole == continued, "{threads} threads");
        let mut other = fresh(3);
        run_plan(&line, &mut other, &mut Recorder::default());
        assert!(whole != other);
    }
}

#[test]
fn what_does_not_fit_is_dealt_into_parts_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(&format!("{} --validation 4", games(&folder, 40)));
    let whole = source(&arguments);
    let survey = whole.survey(|_| {}).unwrap();
    assert_eq!(survey.parts, 1);
    let mut all = whole.part(&survey, 1, 0).unwrap().to_vec();
    assert_eq!(all.len() as u64, survey.positions);
    let small = Source { most_samples: all.len() / 4, ..whole.clone() };
    let dealt = small.survey(|_| {}).unwrap();
    assert!(dealt.parts >= 4 && dealt.positions == survey.positions, "{} parts", dealt.parts);
    assert_eq!(dealt.validation, survey.validation);
    let parts = |epoch| (0..dealt.parts).map(move |part| (epoch, part));
    let read = |(epoch, part)| small.part(&dealt, epoch, part).unwrap().to_vec();
    let key = |sample: &super::sample::Sample| format!("{sample:?}");
    let mut first: Vec<_> = parts(1).flat_map(read).collect();
    first.sort_by_key(key);
    all.sort_by_key(key);
    assert_eq!(first, all);
    assert_ne!(read((1, 0)), read((2, 0)), "every epoch deals anew");
}

#[test]
fn neighbors_have_no_result_and_validate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = games(&folder, 20);
    let read = |neighbors: u32| {
        let source = source(&arguments(&format!("{file} --validation 4 --neighbors {neighbors}")));
        let survey = source.survey(|_| {}).unwrap();
        let [first, second] = [1, 2].map(|epoch| source.part(&survey, epoch, 0).unwrap().to_vec());
        assert_eq!(first == second, neighbors == 0, "every epoch has its own neighbors");
        (first, survey)
    };
    let ((alone, small), (together, large)) = (read(0), read(3));
    assert_eq!(small.validation, large.validation);
    assert_eq!(small.tally.scale_cp(), large.tally.scale_cp());
    let played = together.iter().filter(|sample| sample.half_points != super::sample::NO_RESULT).count();
    assert_eq!(played, alone.len());
    assert!(together.len() > 3 * alone.len() && together.len() as u64 <= large.positions);
    assert_eq!(read(3).0, together);
}

#[test]
fn a_run_writes_network_checkpoint_and_picture_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [out, svg] = ["x.nnue", "x.svg"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let line =
        format!("{} --epochs 2 --batch 256 --validation 4 --out {out} --svg {svg}", games(&folder, 40));
    let never = AtomicBool::new(false);
    let text = train(&arguments(&line), &never).unwrap();
    for word in ["network as written", "classical evaluation", "validation loss", "epochs           "] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
    let network = file::load(Path::new(&out)).unwrap();
    assert!(network.origin().positions > 500 && network.scale_cp() > 0);
    assert!(run(&arguments_of_info(&out)).unwrap().contains(&file::name(&network)));
    assert_eq!(std::fs::read_to_string(&svg).unwrap().matches("<polyline").count(), 2);
    // Nothing is left to do, and other settings are refused.
    train(&arguments(&format!("{line} --resume")), &never).unwrap();
    let error = train(&arguments(&format!("{line} --resume --seed 5")), &never).unwrap_err().to_string();
    assert!(error.contains("other settings") && error.contains("--start"), "{error}");
    for start in [out.clone(), format!("{out}.checkpoint")] {
        let again = folder.path().join("y.nnue");
        let line =
            line.replace(&format!("--out {out}"), &format!("--out {} --start {start}", again.display()));
        train(&arguments(&line), &never).unwrap();
    }
    let error = train(&arguments(&line.replace("games.rsg", "x.nnue")), &never).unwrap_err().to_string();
    assert!(error.contains("not a file of game records"), "{error}");
}

fn arguments_of_info(path: &str) -> Arguments {
    Line::parse_from(["train", "--info", path]).arguments
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let mut state = fresh(4);
    state.curve.push(Point { epochs: 1.0, training: 0.1, validation: 0.2 });
    let bytes = state.encode(11);
    replace_file(&path, &bytes).unwrap();
    assert!(State::read(&path, 11).unwrap() == state);
    let fault = |bytes: &[u8], settings| {
        replace_file(&path, bytes).unwrap();
        State::read(&path, settings).unwrap_err().to_string()
    };
    assert!(fault(&bytes, 12).contains("other settings"));
    assert!(fault(b"ROSADANN", 11).contains("not a checkpoint"));
    for length in [8, 20, 100, bytes.len() - 1] {
        assert!(fault(&bytes[..length], 11).contains("damaged"), "{length}");
    }
    let mut flipped = bytes.clone();
    flipped[4000] ^= 1;
    assert!(fault(&flipped, 11).contains("damaged"));
}

#[test]
fn too_few_positions_and_a_missing_folder_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = train(&arguments(&games(&folder, 1)), &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("too few"), "{error}");
    let error = check_folder(Path::new("/no/such/folder/x.nnue")).unwrap_err().to_string();
    assert!(error.contains("/no/such/folder"), "{error}");
}
