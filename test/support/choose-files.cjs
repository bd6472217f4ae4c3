const { matchesGlob, relative, resolve } = require('node:path');
const { embeddedSubset, leftOut } = require('../../jest.config.js');

const tests = resolve(__dirname, '..');
const toName = path => relative(tests, path).replace(/\.test\.ts$/, '');
const isChosen =
  process.env.TEST_DATABASE === 'embedded'
    ? name => embeddedSubset.some(pattern => matchesGlob(name, `database/${pattern}`))
    : name => !(name in leftOut);

/**
 * The filter of Jest: leaves out the files of `leftOut`, or with TEST_DATABASE=embedded those that are not of
 * `embeddedSubset`. A run that names only such files runs them.
 */
module.exports = async paths => {
  const filtered = paths.filter(path => isChosen(toName(path)));
  if (!filtered.length) return { filtered: paths };
  if (process.env.TEST_DATABASE !== 'embedded')
    module.exports.leftOutNames.push(...paths.map(toName).filter(name => !isChosen(name)));
  return { filtered };
};

/** For the reporter: those of this run. */
module.exports.leftOutNames = [];
