const { matchesGlob, relative, resolve } = require('node:path');
const { embeddedSubset } = require('../../jest.config.js');

const folder = resolve(__dirname, '../database');

/** The filter of Jest: with TEST_DATABASE=embedded the files of `embeddedSubset`, unless a run names only others. */
module.exports = async paths => {
  if (process.env.TEST_DATABASE !== 'embedded') return { filtered: paths };
  const chosen = paths.filter(path =>
    embeddedSubset.some(pattern => matchesGlob(relative(folder, path), `${pattern}.test.ts`)),
  );
  return { filtered: chosen.length ? chosen : paths };
};
