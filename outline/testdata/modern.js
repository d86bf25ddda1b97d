'use strict'
const fs = require('fs')

module.exports = {
  open() {},
  'close'() {},
  async *stream() {},
  get size() { return 1 },
  arrow: (a) => a,
  named: function () { return { a: 1 } },
  value: 1, fs,
  [computed]() {},
  nested: { no() {} },
  ...rest,
}
exports.read = function () {}
exports.write = async (a) => { function helper() {} }
exports.same = exports.read
Server.prototype.start = function start() {
  this.onEnd = function () {}
  let a = 1, b = () => 2
}
;(function () {
  function hidden() {}
  var local = 1
})()
const api = { get() {}, set: (v) => { v } }, other = Object.freeze({ no() {} })
define(['a'], function (a) { return class Exported extends a { m() {} } })
const a = b
/re/g.test(c)
const Comp = () => <p>Don't stop {'}'}</p>
const rx = x => /[}/]/.test(x), t = `a ${`b ${"}"} c`} d`
function* gen() { yield /}/ }
async function main() { for await (const x of y) { } }
var x = a++ / 2, y = "}/"
do { function inDo() {} } while (x)
try { function inTry() {} } catch { function inCatch() {} } finally { function inFinally() {} }
label: { function inLabel() {} }
const min = function(){var a=1;function b(){}return b};class M{a(){}static b(){}}
export default class extends M { constructor() { super() } }
