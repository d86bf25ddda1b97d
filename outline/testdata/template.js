function before() {}
const text = `never closed
function after() {
  return 1
}
class Later { m() {} }
