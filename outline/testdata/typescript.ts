#!/usr/bin/env node
// A licence.

import { type A, B as C, default as D } from "./function";
import type { E } from 'class F {';

/** Doc of Server. */
@Component({
  selector: "server",
  template: `class X { ${ { a: "}" }.a } function y() {`,
})
// and a comment
@Injectable<A>
export abstract class Server<T extends { a: string } = {}, U = `}`>
  extends Base<{ x: number }>
  implements C, D<{ y: 1 }>
{
  private map: Map<string, { a: number }> = new Map()
  static #count = 0;
  @Input() name: string
  @Output({ a: "}" })
  changed = new EventEmitter<void>();
  declare readonly x: { a: string; b(): void }

  // above the constructor
  constructor(private readonly a: string, b = function named() { return "}"; }) { super(); }
  get value(): { a: string } { return { a: "function x() {" }; }
  set value(v) { this.v = v; }
  static get() { return 1 }
  async() {}
  get = 1
  static async *gen<V extends { a: 1 }>(x: V): AsyncGenerator<V, { b: 2 }> { yield x; }
  abstract load(a: string): Promise<void>
  over(a: string): void;
  over(a: number): void;
  over(a: any) {
    if (a) /}/.test(a);
    return a / 2 / 3;
  }
  handler = async <E,>(e: E): Promise<{ a: E }> => {
    const inner = () => { return 1; };
    const plain = inner();
    class Local { m() {} }
  }
  static { function hidden() {} }
  [Symbol.iterator]() { return null; }
  [key: string]: any
  "quoted name"() {}
  #secret?() {}
  123() {}
  function() {}
  class = class Named { inside() {} }
  last = 1
}

export function over(a: string): string;
export function over(a: number): asserts a is 5
export function over(this: { a: 1 }, a: any): a is { b: 2 } { return nested; function nested() {} }

const re = /[/"]class Foo {/g, two = 2 / 1, { c, d: [e] } = f, [g] = h;
let arrow = <T>(x: T): { a: T } => ({ a: x })
var called = function () { return 1; }(), cast = <any>{ m() {} }
const generic = a<b, c>(d), after = 1
export const named = async function* other() {}
export const Klass = class<T> { m() {} }
export const enum Flags { A = 1 << 0, B = "}".length }
export default interface Props { a(): void; b: { function: string; class: "X" } }
type Alias<T> = T extends { a: infer R } ? R : never
export type Union =
  | "a"
  | { kind: "b" }
declare enum Colour { Red, Green }
declare const version: string, build: number
namespace Outer.Inner {
  export const x = 1
  function f(): void
  namespace Deep { type Z = 1 }
}
declare module "express" {
  interface Request { user: { a: 1 } }
  global { var Later: string }
}
declare module "*.css"
declare global { interface Window { x: 1 } }
export { A as function, type E }
export * as all from "x"
export = C
label: for (const x of [1]) { function inFor() {} }
if (x) { class InIf {} } else { var q = 1; enum InElse {} }
switch (x) { case 1: function inCase() {} break; default: class InDefault {} }
const tagged = css`a { ${(p) => { function inTemplate() {} return `${p}`; }} }`
const long = a
  ? b
  : c
type = 5; namespace = 6; declare = 7; abstract = 8
function type() {}
// at the end
