import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './process.js';

const programs = ['prometheus', 'prometheus-alertmanager'];

/** Whether this machine has both (Debian: prometheus, prometheus-alertmanager). */
export const hasPrometheus = programs.every(program => spawnSync(program, ['--version']).status === 0);

/** Its alert fires while the gauge is 1. */
const rules = {
  groups: [
    {
      name: 'queue',
      rules: [
        {
          alert: 'QueueIsFull',
          expr: 'queue_full == 1',
          labels: { severity: 'critical', service: 'queue' },
          annotations: { summary: 'The queue is full', description: 'New orders wait.' },
        },
      ],
    },
  ],
};

/** Prometheus, which reads a gauge every second, and Alertmanager, which posts to `hookUrl`. JSON is YAML, too. */
export async function startPrometheus(hookUrl: string, secret: string) {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-prometheus-'));
  const file = (name: string, content: object) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  let gauge = 0;
  const exporter = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(`queue_full ${gauge}\n`);
  });
  await once(exporter.listen(0, '127.0.0.1'), 'listening');
  const target = `127.0.0.1:${(exporter.address() as AddressInfo).port}`;
  const alertmanager = `127.0.0.1:${await findFreePort()}`;
  const prometheus = `127.0.0.1:${await findFreePort()}`;
  const webhook = {
    url: hookUrl,
    send_resolved: true,
    http_config: { authorization: { credentials: secret } },
  };
  const alertmanagerFile = file('alertmanager.yml', {
    route: { receiver: 'all-clear', group_by: ['service'], group_wait: '0s', group_interval: '1s' },
    receivers: [{ name: 'all-clear', webhook_configs: [webhook] }],
  });
  const prometheusFile = file('prometheus.yml', {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [file('rules.yml', rules)],
    scrape_configs: [{ job_name: 'queue', static_configs: [{ targets: [target] }] }],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
  });
  const start = (program: string, parameters: string[]) => spawn(program, parameters, { stdio: 'ignore' });
  const started = [
    start('prometheus-alertmanager', [
      `--config.file=${alertmanagerFile}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=${alertmanager}`,
      '--cluster.listen-address=',
    ]),
    start('prometheus', [
      `--config.file=${prometheusFile}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=${prometheus}`,
    ]),
  ];
  return {
    setGauge(value: 0 | 1) {
      gauge = value;
    },
    async stop() {
      for (const child of started) {
        child.kill('SIGKILL');
        if (child.exitCode === null) await once(child, 'exit');
      }
      exporter.close();
      exporter.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
}
