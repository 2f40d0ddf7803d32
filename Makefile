# The four things to do; meson does the work.  Everything missing is installed first.
.PHONY: build run test bench tidy setup

setup:
	@scripts/setup.sh

build: setup
	@scripts/build.sh

# The tool alone: tests are a fifth of all that is built.
run: setup
	@scripts/build.sh inlay inlay-llvm.so
	@scripts/tour.sh build/inlay

test: setup
	@scripts/setup.sh --tests
	@python3 scripts/test.py

bench: build
	@python3 -B bench/startup.py build/inlay
	@python3 -B bench/linear.py build/inlay
	@python3 -B bench/lsp.py build/inlay
	@python3 -B bench/page.py build/inlay
	@python3 -B bench/kv_cache.py build/inlay
	@python3 -B bench/elementwise.py build/inlay
	@python3 -B bench/rows.py build/inlay
	@python3 -B bench/matmul.py build/inlay
	@python3 -B bench/inplace/run.py build/inlay
	@python3 -B bench/wheel.py build/inlay

tidy: setup
	@scripts/setup.sh --tests
	@ninja -C build tidy
