export class First {
  method() {
    if (a) {
      call(
  }
}

export function second() {
  const s = 'not closed
  return s
}

// The third.
export class Third {
  m() { return `${ }
}

function fourth() {}
