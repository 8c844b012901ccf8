# For OpenBench and for people who type make: `make EXE=name` leaves the engine as ./name beside this file.
EXE ?= rosada-engine

.PHONY: all test clean

all:
	cargo build --release --bin rosada
	cp target/release/rosada$(SUFFIX) $(EXE)

# On Windows the build adds .exe by itself.
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

test:
	cargo test --release

clean:
	cargo clean
	rm -f $(EXE)
