//! Arguments to subcommand; without arguments, UCI.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use rosada::base::{Error, cpu};
use rosada::console;
use rosada::engine::bench;
use rosada::lab::{
    analyse, book, compare, datagen, endgame, evaluation, helpmate, magics, mate, perft, rescore, selfplay,
    starts, testset, train, tune, wdl,
};
use rosada::uci;
use rosada::uci::output::Output;

/// Rosada, a UCI chess engine. Without arguments it speaks UCI; arguments that are UCI lines are carried out in
/// order.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Annotate games: evaluations, better lines, symbols for mistakes, accuracy, a picture
    Analyse(analyse::Arguments),
    /// Search fixed positions; the last line is `<nodes> nodes <nps> nps`
    Bench {
        /// Depth of each search
        #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
        depth: u32,
        #[command(flatten)]
        evaluation: evaluation::EvaluationArguments,
    },
    /// Count the leaves of the legal move tree
    Perft(perft::Arguments),
    /// Make opening books and look into them
    #[command(subcommand)]
    Book(book::Command),
    /// Compare search methods, from minimax to the full search, on the positions of a game
    Compare(compare::Arguments),
    /// Let the engine play against itself and record the games, for tuning and training
    Datagen(datagen::Arguments),
    /// Endgame tables: build them, ask them, count through them
    #[command(subcommand)]
    Endgame(endgame::Arguments),
    /// Find the lines in which both sides work together to mate one of them
    Helpmate(helpmate::Arguments),
    /// Find magic multipliers for the sliding pieces and print them as source
    Magics {
        /// Seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Prove the shortest mate, or that there is none
    Mate(mate::Arguments),
    /// Play at the terminal: against the engine, between two people, or study an ending
    Play(console::Arguments),
    /// Search the positions of recorded games again and record what is said about them now
    Rescore(rescore::Arguments),
    /// Let the engine play against itself in a variant: how games end
    Selfplay(selfplay::Arguments),
    /// Start positions of Capablanca Random chess
    Starts(starts::Arguments),
    /// Choose quiet positions of games and search them deeply, to measure networks by
    Testset(testset::Arguments),
    /// Train a network for the neural evaluation on self-play games
    Train(train::Arguments),
    /// Fit the values of the classical evaluation, or of a variant's, to self-play games
    Tune(tune::Arguments),
    /// Fit what scores mean, as chances of win, draw and loss, to self-play games
    Wdl(wdl::Arguments),
}

fn main() -> ExitCode {
    let missing = cpu::missing_features();
    if !missing.is_empty() {
        eprintln!(
            "rosada: this binary was built for a newer CPU; this one lacks {}. \
             Build a portable one as README.md says.",
            missing.join(", ")
        );
        return ExitCode::FAILURE;
    }
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rosada: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<(), Error> {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.is_empty() {
        return uci::run::run();
    }
    let first = arguments[0].as_str();
    let is_tool = first == "help"
        || ["-h", "--help", "-V", "--version"].contains(&first)
        || Arguments::command().find_subcommand(first).is_some();
    if !is_tool && uci::run::are_commands(&arguments) {
        return uci::run::run_lines(&arguments);
    }
    let output = Output::new();
    match Arguments::parse().command {
        Tool::Analyse(arguments) => output.block(&analyse::run(&arguments)?),
        Tool::Bench { depth, evaluation } => {
            let measure = bench::run(depth, &evaluation.choose()?, |line| output.line(line));
            output.line(&measure.summary());
        }
        Tool::Perft(arguments) => perft::run(&arguments)?.iter().for_each(|line| output.line(line)),
        Tool::Book(command) => output.block(&book::run(&command)?),
        Tool::Compare(arguments) => output.block(&compare::run(&arguments)?),
        Tool::Datagen(arguments) => output.block(&datagen::run(&arguments)?),
        Tool::Endgame(arguments) => output.block(&endgame::run(&arguments)?),
        Tool::Helpmate(arguments) => helpmate::run(&arguments)?.iter().for_each(|line| output.line(line)),
        Tool::Magics { seed } => output.block(&magics::run(seed)),
        Tool::Mate(arguments) => mate::run(&arguments)?.iter().for_each(|line| output.line(line)),
        Tool::Play(arguments) => console::run(&arguments)?,
        Tool::Rescore(arguments) => output.block(&rescore::run(&arguments)?),
        Tool::Selfplay(arguments) => selfplay::run(&arguments, |line| output.line(line))?,
        Tool::Starts(arguments) => starts::run(&arguments).iter().for_each(|line| output.line(line)),
        Tool::Testset(arguments) => output.block(&testset::run(&arguments)?),
        Tool::Train(arguments) => output.block(&train::run(&arguments)?),
        Tool::Tune(arguments) => tune::run(&arguments, |line| output.line(line))?,
        Tool::Wdl(arguments) => output.block(&wdl::run(&arguments)?),
    }
    Ok(())
}
