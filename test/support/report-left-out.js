import { leftOut } from '../../jest.config.js';
import chooseFiles from './choose-files.cjs';

/** A reporter: says which files the filter left out, and why. */
export default class ReportLeftOut {
  onRunComplete() {
    if (chooseFiles.lacksClients)
      process.stderr.write('\nWithout the tests of clients: `npm ci --prefix test/clients` installs what they need.\n');
    const names = chooseFiles.leftOutNames.splice(0);
    if (!names.length) return;
    const width = Math.max(...names.map(name => name.length));
    const lines = names.map(name => `  ${name.padEnd(width)}  ${leftOut[name]}`);
    process.stderr.write(`\nLeft out; \`npm run test:all\` runs them, too:\n${lines.join('\n')}\n`);
  }
}
