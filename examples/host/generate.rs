// The same loop in Rust: the plain door, declared as the header says it, behind a safe function that checks what that
// door believes. The compiler alone is enough; any of the 2018 edition on will do.
//
//     inlay compile ../kv_cache.py -o libkv.a --prefix kv
//     rustc -O --edition 2018 generate.rs -L . -l static=kv -l m
//     ./generate

use std::ffi::CStr;
use std::os::raw::{c_char, c_void};

const WIDTH: usize = 64;
const ROWS: usize = 128;
const STEPS: usize = 100;

extern "C" {
    fn kv_main(
        k_cache: *mut f32,
        v_cache: *mut f32,
        q: *const f32,
        k: *const f32,
        v: *const f32,
        pos: i64,
        out: *mut f32,
        t: i64,
        arena: *mut c_void,
    ) -> i32;
    fn kv_main_arena_bytes() -> usize;
    fn kv_message(status: i32, buffer: *mut c_char, size: usize) -> *const c_char;
}

/// As arenas are aligned.
#[derive(Clone)]
#[repr(align(64))]
#[allow(dead_code)] // it is only there to be written to by kv_main()
struct Line([u8; 64]);

/// Keys and values of up to `rows` steps, and the memory that a call takes.
struct Cache {
    keys: Vec<[f32; WIDTH]>,
    values: Vec<[f32; WIDTH]>,
    arena: Vec<Line>,
}

type Row = [f32; WIDTH];

impl Cache {
    fn new(rows: usize) -> Cache {
        let bytes = unsafe { kv_main_arena_bytes() };
        Cache {
            keys: vec![[0.0; WIDTH]; rows],
            values: vec![[0.0; WIDTH]; rows],
            arena: vec![Line([0; 64]); bytes / 64 + 1],
        }
    }

    /// Appends a row in place and attends to the last ones; the error is the library's sentence.
    fn step(&mut self, q: &Row, k: &Row, v: &Row, pos: usize) -> Result<Row, String> {
        let mut out = [0.0; WIDTH];
        let status = unsafe {
            kv_main(
                self.keys.as_mut_ptr().cast(),
                self.values.as_mut_ptr().cast(),
                q.as_ptr(),
                k.as_ptr(),
                v.as_ptr(),
                pos as i64,
                out.as_mut_ptr(),
                self.keys.len() as i64,
                self.arena.as_mut_ptr().cast(),
            )
        };
        if status == 0 {
            return Ok(out);
        }
        let mut text = [0 as c_char; 128];
        let said = unsafe { CStr::from_ptr(kv_message(status, text.as_mut_ptr(), text.len())) };
        Err(said.to_string_lossy().into_owned())
    }
}

/// What the step should give, in plain Rust.
fn expect(cache: &Cache, q: &Row, pos: usize) -> Row {
    let rows = (pos + 1).saturating_sub(32)..=pos;
    let score = |row: usize| -> f64 { (0..WIDTH).map(|j| 0.125 * f64::from(q[j]) * f64::from(cache.keys[row][j])).sum() };
    let weights: Vec<(usize, f64)> = rows.map(|row| (row, score(row).exp())).collect();
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut out = [0.0; WIDTH];
    for (j, place) in out.iter_mut().enumerate() {
        *place = weights.iter().map(|(row, weight)| weight / total * f64::from(cache.values[*row][j])).sum::<f64>() as f32;
    }
    out
}

fn main() {
    let mut cache = Cache::new(ROWS);
    let (mut last, mut worst) = ([0.0f32; WIDTH], 0.0f32);
    for pos in 0..STEPS {
        let (mut q, mut k, mut v) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        for j in 0..WIDTH {
            q[j] = (0.1 * (j + pos) as f32).sin() + last[j];
            k[j] = (0.2 * (j * pos % 29) as f32).cos() - last[WIDTH - 1 - j];
            v[j] = (0.3 * (j + 7 * pos) as f32).sin() + 0.5 * last[(j + 1) % WIDTH];
        }
        last = match cache.step(&q, &k, &v, pos) {
            Ok(out) => out,
            Err(why) => {
                eprintln!("{}", why);
                std::process::exit(1);
            }
        };
        for (found, wanted) in last.iter().zip(expect(&cache, &q, pos).iter()) {
            worst = worst.max((found - wanted).abs());
        }
    }
    println!("{} steps, {} bytes of arena", STEPS, unsafe { kv_main_arena_bytes() });
    let row = [0.0; WIDTH];
    match cache.step(&row, &row, &row, ROWS) {
        Ok(_) => std::process::exit(1), // there is no such row
        Err(why) => println!("refused: {}", why),
    }
    if !(worst < 1e-4) {
        eprintln!("a step differs from plain Rust by {}", worst);
        std::process::exit(1);
    }
}
