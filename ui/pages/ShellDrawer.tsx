import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { mayUseShell } from '#ui/actions/shell.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { shell } from '#ui/state/shell.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'

/** The shell arrives when it is opened. */
const Shell = lazy(async () => ({ default: (await import('#ui/features/shell/Shell.tsx')).Shell }))

/** The shell at the foot of the files, for whoever may use it; beside a file, in the file's folder. */
export function ShellDrawer({ path }: { path: TreePath }) {
  const now = useActionContext()
  const { open } = useSnapshot(shell)
  if (!open || !mayUseShell(now)) return null
  return (
    <Suspense>
      <Shell folder={now.page === 'file' ? parentPath(path) : path} />
    </Suspense>
  )
}
