const { existsSync } = require('node:fs');
const { matchesGlob, relative, resolve } = require('node:path');
const { embeddedSubset, leftOut } = require('../../jest.config.js');

const tests = resolve(__dirname, '..');
const toName = path => relative(tests, path).replace(/\.test\.ts$/, '');
const isChosen =
  process.env.TEST_DATABASE === 'embedded'
    ? name => embeddedSubset.some(pattern => matchesGlob(name, `database/${pattern}`))
    : name => !(name in leftOut);

/** These need packages of their own. */
const isOfClients = name => name.startsWith('clients/');
const hasClients = existsSync(resolve(tests, 'clients/node_modules'));

/**
 * The filter of Jest: leaves out the files of `leftOut`, or with TEST_DATABASE=embedded those that are not of
 * `embeddedSubset`. A run that names only such files runs them.
 */
module.exports = async paths => {
  const runnable = paths.filter(path => hasClients || !isOfClients(toName(path)));
  module.exports.lacksClients = runnable.length < paths.length;
  const filtered = runnable.filter(path => isChosen(toName(path)));
  if (!filtered.length) return { filtered: runnable };
  if (process.env.TEST_DATABASE !== 'embedded')
    module.exports.leftOutNames.push(...runnable.map(toName).filter(name => !isChosen(name)));
  return { filtered };
};

/** For the reporter: those of this run. */
module.exports.leftOutNames = [];
/** Whether tests of clients were left out, since their packages are not installed. */
module.exports.lacksClients = false;
