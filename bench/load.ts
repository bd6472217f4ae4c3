import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concurrency, maxWarmUpSeconds, warmUpResponses, warmUpSeconds } from './settings.ts';

export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** If present, it is sent by POST. */
  body?: string;
  /** If present, the Lua code with which wrk makes each request. */
  request?: string;
}

export interface Run {
  /** wrk runs up to a tenth longer than requested. */
  responses: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 200, 201 and 304, and failed connections. */
  errors: number;
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));

/**
 * wrk uses the least CPU. autocannon comes with `npm ci --prefix bench`, but uses so much CPU itself that all ratios move towards 1.
 */
export const tool = hasWrk ? 'wrk' : 'autocannon';

export const load: (target: Target, seconds: number, connections?: number) => Promise<Run> = hasWrk
  ? withWrk
  : withAutocannon;

/** Sends requests until V8 has optimized the code that answers them. */
export async function warmUp(target: Target): Promise<void> {
  let responses = 0;
  for (let passed = 0; passed < maxWarmUpSeconds && responses < warmUpResponses; passed += warmUpSeconds)
    responses += (await load(target, warmUpSeconds)).responses;
}

async function withWrk(target: Target, seconds: number, connections = concurrency): Promise<Run> {
  const script = join(folder, 'load.lua');
  // Lua reads these strings as JSON writes them.
  const quote = (value: string) => JSON.stringify(value);
  writeFileSync(
    script,
    `${target.body ? `wrk.method = "POST"\nwrk.body = ${quote(target.body)}\n` : ''}
${Object.entries(target.headers)
  .map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  .join('\n')}
${target.request ? `function request()\n${target.request}\nend` : ''}
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init() wrong = 0 end
function response(status) if status ~= 200 and status ~= 201 and status ~= 304 then wrong = wrong + 1 end end
function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.timeout
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("wrong") end
  print(string.format("RUN [%d, %d, %d, %d, %d]",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), wrong))
end`,
  );
  const printed = await run('wrk', [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    target.url,
  ]);
  const [requests, microseconds, median, slowest, failed] = JSON.parse(/RUN (.*)/.exec(printed)![1]!) as [
    number,
    number,
    number,
    number,
    number,
  ];
  // A refusal costs little, so it must not count as a response.
  const responses = Math.max(requests - failed, 1);
  return {
    responses,
    perSecond: responses / (microseconds / 1e6),
    p50Ms: median / 1000,
    p99Ms: slowest / 1000,
    errors: failed,
  };
}

async function withAutocannon(target: Target, seconds: number, connections = concurrency): Promise<Run> {
  if (target.request) throw new Error('This measurement needs wrk.');
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const body = target.body ? ['-m', 'POST', '-b', target.body] : [];
  const printed = await run('autocannon', [
    '-c',
    String(connections),
    '-d',
    String(seconds),
    '-j',
    ...headers,
    ...body,
    target.url,
  ]);
  const { requests, latency, errors, timeouts, non2xx } = JSON.parse(printed);
  return {
    responses: requests.total,
    perSecond: requests.average,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    errors: errors + timeouts + non2xx,
  };
}

function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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
