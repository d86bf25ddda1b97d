import React from "react"

type Props<T> = { items: T[]; render?: <U>(item: T) => U }

/** A list. */
export const List = <T,>({ items }: Props<T>) => {
  const [s, setS] = useState<string>("it's")
  const onClick = useCallback(() => { setS("}") }, [])
  const handle = () => { setS("x") }
  function Row<T extends {}>({ a }: { a: T }) { return <b>{a}</b> }
  if (a < b && c > d) return null
  return (
    <div className="a } {" title='function no() {' onClick={() => { onClick() }} {...rest}>
      Don't {a < 3 ? <i>function no() {'}'} class X</i> : null}
      {/* <b> ' */}
      {items.map(i => <Row<string> key={i} a={i} />)}
      <Foo.Bar icon=<Icon /> render={() => { function InProp() {} return <br/> }} />
      <svg:path data-a="b" /> &amp; {`${<b>`</b>}`}
      <></>
    </div>
  )
}

export default function App() { return <List items={[]}>text</List> }

const extended = <T extends unknown>(x: T) => x
class View extends React.Component<{ a: string }> {
  state = { a: 1 }
  render() { return <p>it's</p> }
}
const memoized = memo(forwardRef(function Named(props, ref) { return <a /> }))
const element = <div>
  const notCode = () => {'{'}
</div>
let end = 1
