/** A promise `opened` that `open` resolves. Node 20, which runs the e2e tests, has no `Promise.withResolvers`. */
export interface Gate {
  opened: Promise<void>
  open(): void
}

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
