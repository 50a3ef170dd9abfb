# The presets in CMakePresets.json do the work; these are the everyday commands.

PORT ?= 8630
FUZZ_SECONDS ?= 600

.PHONY: help build web samples run test bench fuzz format clean setup setup-test

help:
	@echo 'make build   the command build/sinew, the library build/libsinew.a'
	@echo 'make run     build everything and serve the editor at http://localhost:$(PORT)'
	@echo 'make test    every test; PARTS="unit node" runs only those'
	@echo 'make bench   the benches'
	@echo 'make fuzz    the fuzz targets, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make format  lay out the C files with clang-format'
	@echo 'make clean   remove build/'
	@echo 'Each installs what it needs and is missing (Debian 12).'

setup:
	@tools/setup.sh build

setup-test:
	@tools/setup.sh test

build: setup
	cmake --preset release --log-level=WARNING
	cmake --build --preset release

samples: build
	cmake --build --preset release --target samples

web: setup
	cmake --preset wasm --log-level=WARNING
	cmake --build --preset wasm
	node tools/bundle.mjs
	node tools/packages.mjs

run: build samples web
	build/sinew serve --port $(PORT) build/samples/mannequin.glb

test: setup-test
	node tools/run-tests.mjs $(PARTS)

bench: build samples web
	cmake --build --preset release --target benches
	node tools/run-benches.mjs

fuzz: setup-test
	FUZZ_SECONDS=$(FUZZ_SECONDS) node tools/run-tests.mjs fuzz

format: setup-test
	find include src cli server wasm samples tests bench -name '*.[ch]' -exec clang-format-19 -i {} +

clean:
	rm -rf build
