# The four things to do; meson does the work.  Everything missing is installed first.
.PHONY: build run test bench tidy setup

setup:
	@scripts/setup.sh

build: setup
	@ninja -C build --quiet

run: build
	@build/inlay run examples/kv_cache.py --stats
	@build/inlay why examples/kv_cache.py

test: setup
	@scripts/setup.sh --tests
	@python3 scripts/test.py

bench: build
	@bench/run

tidy: setup
	@scripts/setup.sh --tests
	@ninja -C build tidy
