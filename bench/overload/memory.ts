import { readFileSync } from 'node:fs';

/** The memory of a process in MB: now, or the most so far. Linux only. */
export function readMemoryMb(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
