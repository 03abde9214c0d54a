/** Something a test lets go on when it wants. Node 20, which runs the flows, has no `Promise.withResolvers`. */
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
