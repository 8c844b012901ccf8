//! Small runs from beginning to end: they learn, they can be repeated and continued, and what they write can be played.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use rand::Rng;
use tempfile::TempDir;

use super::checkpoint::Point;
use super::feed::Feed;
use super::model::expectation;
use super::sample::Sample;
use super::trainer::{Moment, Watcher, mean_loss};
use super::*;
use crate::base::Color;
use crate::chess::Position;
use crate::eval::Classical;
use crate::eval::nnue::network::Origin;
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
        assert!(last.epochs > f64::from(moment.epoch - 1) && last.epochs <= f64::from(moment.epoch));
    }

    fn epoch(&mut self, state: &State, _: &Moment) -> Result<(), Error> {
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
        "{} --epochs 4 --batch 128 --validation 5 --lambda 0.1 --rate 0.002 --points 8",
        games(&folder, 600)
    );
    let (mut state, mut recorder) = (fresh(1), Recorder::default());
    let untrained = state.weights.clone();
    let (survey, plan) = run_plan(&line, &mut state, &mut recorder);
    let epochs: Vec<f64> = recorder.curve.iter().map(|point| point.epochs).collect();
    assert_eq!(epochs.len(), 8);
    for (number, epochs) in (1..).zip(&epochs) {
        assert!((epochs - f64::from(number) * 0.5).abs() < 0.1, "{epochs} at point {number}");
    }
    assert_eq!(epochs[7], 4.0);
    let loss = |weights: &Rows| {
        mean_loss(&survey.validation, 2, |_, sample| {
            f64::from(weights.loss(sample, plan.blend.at(1.0).target(sample)))
        })
    };
    let (before, after) = (loss(&untrained), loss(&state.weights));
    assert!(after < 0.5 * before, "{before} became {after}");
    assert!((after - recorder.curve[7].validation).abs() < 1e-9);
    assert!((after - recorder.curve[7].quantized).abs() < 0.02 * after, "{:?}", recorder.curve[7]);

    // The whole numbers of the network say nearly what the model says.
    let origin = Origin { positions: 1, epochs: 4, validation_loss: 0.0 };
    let network = quantize::network(&state.weights, plan.blend.scale_cp, origin);
    assert!(file::check(&network).is_ok());
    let apart = mean_loss(&survey.validation, 2, |_, sample| {
        let whole = expectation(sample.value_by(&network) as f32 / plan.blend.scale_cp);
        f64::from(whole - expectation(state.weights.value(sample))).abs()
    });
    // Output weights are whole 64ths, and after so short a run most of them are only a few.
    assert!(apart < 0.015, "{apart} points apart in the mean");
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

/// What an epoch feeds, in the order of its blocks.
fn fed(source: &Source, survey: &Survey, epoch: u32) -> Vec<Sample> {
    let never = AtomicBool::new(false);
    let mut samples = Vec::new();
    std::thread::scope(|scope| {
        for feed in feed::start(scope, source, survey, (epoch, epoch), &never) {
            match feed.unwrap() {
                Feed::Block(block) => samples.extend(block),
                Feed::EpochEnd => break,
            }
        }
    });
    samples
}

#[test]
fn what_does_not_fit_is_dealt_into_parts_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(&format!("{} --validation 4", games(&folder, 40)));
    let whole = source(&arguments);
    let survey = whole.survey(|_| {}).unwrap();
    assert_eq!(survey.parts, 1);
    let all = fed(&whole, &survey, 1);
    assert_eq!(all.len() as u64, survey.positions);
    let small = Source { max_samples: all.len() / 4, ..whole.clone() };
    let dealt = small.survey(|_| {}).unwrap();
    assert!(dealt.parts >= 8 && dealt.positions == survey.positions, "{} parts", dealt.parts);
    assert_eq!(dealt.validation, survey.validation);
    let [first, second] = [1, 2].map(|epoch| fed(&small, &dealt, epoch));
    assert_eq!(first, fed(&small, &dealt, 1));
    assert_ne!(first, second, "every epoch deals anew");
    let sorted = |mut samples: Vec<Sample>| {
        samples.sort_by_key(|sample| format!("{sample:?}"));
        samples
    };
    let all = sorted(all);
    assert!(sorted(first) == all && sorted(second) == all);
}

#[test]
fn a_run_in_parts_learns_and_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{} --epochs 2 --batch 64 --validation 4 --points 4", games(&folder, 40));
    let arguments = arguments(&line);
    let small = Source { max_samples: 1000, ..source(&arguments) };
    let survey = small.survey(|_| {}).unwrap();
    let plan = plan(&arguments, &survey);
    let never = AtomicBool::new(false);
    let learned = || {
        let mut state = fresh(1);
        let mut recorder = Recorder::default();
        trainer::train(&mut state, &small, &survey, &plan, &never, &mut recorder).unwrap();
        state
    };
    let state = learned();
    assert!(survey.parts > 2 && state == learned());
    assert!(state.curve[3].validation < state.curve[0].validation, "{:?}", state.curve);
}

#[test]
fn a_file_that_shrinks_ends_the_run_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(&folder, 40);
    let arguments = arguments(&format!("{path} --validation 4"));
    let small = Source { max_samples: 500, ..source(&arguments) };
    let survey = small.survey(|_| {}).unwrap();
    let plan = plan(&arguments, &survey);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let never = AtomicBool::new(false);
    let error = trainer::train(&mut fresh(1), &small, &survey, &plan, &never, &mut Recorder::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("games.rsg") && error.contains("shorter"), "{error}");
}

#[test]
fn late_positions_and_foreseen_scores_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = games(&folder, 60);
    let survey = |options: &str| {
        source(&arguments(&format!("{file} --validation 4 {options}"))).survey(|_| {}).unwrap()
    };
    let all = survey("--max-clock 100");
    let early = survey("--max-clock 3");
    assert!(early.positions < all.positions && early.positions > 0);
    // The scale tells what searched scores mean, whatever is learned from.
    let foreseen = survey("--max-clock 100 --foresight 0.9");
    assert_eq!(foreseen.tally.scale_cp(), all.tally.scale_cp());
}

#[test]
fn damage_is_told_at_the_end_even_of_a_quiet_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(&folder, 60);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let out = folder.path().join("x.nnue");
    let line = format!("{path} --epochs 1 --validation 4 --out {}", out.display());
    let text = train(&arguments(&line), &AtomicBool::new(false)).unwrap();
    assert!(
        text.starts_with(&path) && text.contains("is damaged: game ") && text.contains("sound"),
        "{text}"
    );
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
    assert_eq!(std::fs::read_to_string(&svg).unwrap().matches("<polyline").count(), 3);
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
    state.curve.push(Point { epochs: 1.0, training: 0.1, validation: 0.2, quantized: 0.3 });
    let bytes = state.encode(11);
    files::replace(&path, &bytes).unwrap();
    assert!(State::read(&path, 11).unwrap() == state);
    let fault = |bytes: &[u8], settings| {
        files::replace(&path, bytes).unwrap();
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
