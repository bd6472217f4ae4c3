import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concurrency } from './settings.ts';

export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Sent by POST where there is one. */
  body?: string;
}

export interface Run {
  /** wrk runs up to a tenth longer than it is told to. */
  answers: number;
  perSecond: number;
  /** Milliseconds. */
  median: number;
  slowest1Percent: number;
  /** Answers other than 200, and connections that failed. */
  wrong: number;
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));

/** wrk costs the machine least; autocannon is what npm brings, and takes so much of the processor itself that all ratios come out nearer to 1. */
export const tool = hasWrk ? 'wrk' : 'autocannon';

export const load: (target: Target, seconds: number) => Promise<Run> = hasWrk ? withWrk : withAutocannon;

async function withWrk(target: Target, seconds: number): Promise<Run> {
  const script = join(folder, 'load.lua');
  // What JSON writes of these texts, Lua reads.
  const text = (value: string) => JSON.stringify(value);
  writeFileSync(
    script,
    `${target.body ? `wrk.method = "POST"\nwrk.body = ${text(target.body)}\n` : ''}
${Object.entries(target.headers)
  .map(([name, value]) => `wrk.headers[${text(name)}] = ${text(value)}`)
  .join('\n')}
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init() wrong = 0 end
function response(status) if status ~= 200 then wrong = wrong + 1 end end
function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("wrong") end
  print(string.format("RUN [%d, %d, %d, %d, %d]", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), wrong))
end`,
  );
  const printed = await output('wrk', [
    '-t',
    '1',
    '-c',
    String(concurrency),
    '-d',
    `${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    target.url,
  ]);
  const [requests, microseconds, median, slowest, wrong] = JSON.parse(/RUN (.*)/.exec(printed)![1]!) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    answers: requests,
    perSecond: requests / (microseconds / 1e6),
    median: median / 1000,
    slowest1Percent: slowest / 1000,
    wrong,
  };
}

async function withAutocannon(target: Target, seconds: number): Promise<Run> {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const body = target.body ? ['-m', 'POST', '-b', target.body] : [];
  const printed = await output('autocannon', [
    '-c',
    String(concurrency),
    '-d',
    String(seconds),
    '-j',
    ...headers,
    ...body,
    target.url,
  ]);
  const { requests, latency, errors, timeouts, non2xx } = JSON.parse(printed);
  return {
    answers: requests.total,
    perSecond: requests.average,
    median: latency.p50,
    slowest1Percent: latency.p99,
    wrong: errors + timeouts + non2xx,
  };
}

function output(command: string, parameters: string[]): Promise<string> {
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', data => {
    printed += data;
  });
  return new Promise((done, fail) =>
    child
      .once('error', fail)
      .once('close', code => (code ? fail(new Error(`${command} failed: ${printed}`)) : done(printed))),
  );
}
