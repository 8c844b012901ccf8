//! What `help` prints.

/// The commands, for a person at a terminal.
pub const TEXT: &str = "\
UCI commands (what a GUI sends):
  uci                          name, options, uciok
  isready                      readyok, also during a search
  ucinewgame                   forget the last game
  setoption name N value V     set an option (uci lists them)
  position startpos|fen F [moves M...]
                               the position to search
  go [wtime T btime T winc T binc T movestogo N] [movetime T] [depth N] [nodes N]
     [mate N] [infinite] [ponder] [searchmoves M...]
                               search; times in milliseconds
  stop, ponderhit              end the search; the expected move was played
  quit                         end the program
For people:
  d                            the board, its FEN, opening, key and legal moves
  eval                         the evaluation in detail: by terms, or by men where a network judges
  flip                         exchange the colors
  go perft N                   count the move tree to depth N, by first moves
  bench [depth]                search fixed positions; the node count is the signature of this version
  genfens N seed S book <None|path>
                               random openings of the game that is set (for OpenBench)
  help                         this text
";
