import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { mayUseShell } from '#ui/actions/shell.ts'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useActionContext } from '#ui/state/action-context.ts'
import { shell } from '#ui/state/shell/shell.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'

/** The shell is loaded when it is first opened. */
const Shell = lazyPart(async () => (await import('#ui/features/shell/Shell.tsx')).Shell)

/** The shell below the files, for users with the right; for a file it runs in the file's folder. */
export function ShellDrawer({ path }: { path: TreePath }) {
  const context = useActionContext()
  const { open } = useSnapshot(shell)
  if (!open || !mayUseShell(context)) return null
  return (
    <Suspense>
      <Shell folder={context.page === 'file' ? parentPath(path) : path} />
    </Suspense>
  )
}
