import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { type FontSubset, fontFamily, selectFontSubsets } from './fonts.js';
import { limitWasmMemory } from './limit-wasm-memory.js';
import type { RasterJob, RasterResult } from './rasterizer.js';

const { resolve } = createRequire(import.meta.url);

await initWasm(limitWasmMemory(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')), workerData.maxBytes));

const loadFont = (subset: FontSubset) =>
  readFileSync(resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-600-normal.woff2`));

function render({ svg, fitTo }: RasterJob): RasterResult {
  try {
    // Each document parses its fonts again, which takes longer than to draw it.
    const fontBuffers = svg.includes('<text') ? selectFontSubsets(svg).map(loadFont) : [];
    const document = new Resvg(svg, { fitTo, font: { fontBuffers, defaultFontFamily: fontFamily } });
    const png = document.render().asPng();
    document.free();
    return { png };
  } catch (error) {
    // A panic leaves the memory in an unknown state: the worker ends, and the next job gets a new one.
    if (error instanceof Error && error.name === 'RuntimeError') throw error;
    return { problem: `cannot be rendered: ${error instanceof Error ? error.message : String(error)}` };
  }
}

parentPort!.on('message', (job: RasterJob) => parentPort!.postMessage(render(job)));
