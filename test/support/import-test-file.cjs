/** A setup file of Jest, which waits for what it returns: the tests are defined before Jest evaluates the empty file. */
module.exports = () => importTestFile(require('@jest/globals'));
