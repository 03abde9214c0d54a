/** One program on the server, from its start to its end. */
import { type CommandSocket, findRefusal, openCommandSocket } from '#ui/api/client/command.ts'
import { faultText, reasonText } from '#ui/i18n/faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { ShellReply, ShellRequest } from '#wire/api/shell.ts'
import type { TreePath } from '#wire/paths.ts'

type Output = Extract<ShellReply, { data: string }>
type Start = Extract<ShellRequest, { type: 'run' }>

/** The exit status, or a sentence that says why the program did not run to its end. */
export type Ending = { code: number; signal?: string } | { error: string }

interface ProgramListener {
  onOutput(output: Output): void
  /** Called once, and not after `disconnect`. */
  onEnd(ending: Ending): void
}

export interface Program {
  /** Whether the start request was sent, so that the server knows the program. */
  hasStarted(): boolean
  /** Requests are queued until the start request was sent. */
  send(request: Exclude<ShellRequest, Start>): void
  /** Closes the connection. The server then ends the program. */
  disconnect(): void
}

/** Starts a program in a folder. If the session has expired, the user signs in again first. */
export function startProgram(folder: TreePath, start: Start, listener: ProgramListener): Program {
  let socket: CommandSocket | undefined
  let hasOpened = false
  /** Requests that are sent after the start request. */
  const waiting: ShellRequest[] = []
  connect(false)
  return {
    hasStarted: () => hasOpened,
    send(request) {
      if (hasOpened) socket?.send(request)
      else waiting.push(request)
    },
    disconnect,
  }

  /** @param isRetry whether the connection was refused once, without a reason that another request can find */
  function connect(isRetry: boolean): void {
    const current = openCommandSocket(folder, {
      onOpen() {
        hasOpened = true
        for (const request of [start, ...waiting.splice(0)]) current.send(request)
      },
      onReply(reply) {
        if ('data' in reply) listener.onOutput(reply)
        else end(endingOf(reply))
      },
      onClose() {
        if (hasOpened) end({ error: t('shell.lost') })
        else void explain()
      },
    })
    socket = current

    /** Finds out why the socket could not be opened. */
    async function explain(): Promise<void> {
      const refusal = await findRefusal(folder)
      // The user may have cancelled in the meantime.
      if (socket !== current) return
      if (refusal) end({ error: faultText(refusal) })
      else if (isRetry) end({ error: t('shell.noSocket') })
      else connect(true)
    }
  }

  function end(ending: Ending): void {
    disconnect()
    listener.onEnd(ending)
  }

  function disconnect(): void {
    socket?.close()
    socket = undefined
  }
}

function endingOf(reply: Exclude<ShellReply, Output>): Ending {
  if (reply.type === 'exit') return reply
  return { error: reply.reason ? reasonText(reply.reason) : reply.message }
}

/** @returns a sentence about the exit status; undefined after success */
export function endingText(ending: Ending): string | undefined {
  if ('error' in ending) return ending.error
  const { code, signal } = ending
  if (signal) return t('shell.endedBy', { signal })
  return code === 0 ? undefined : t('shell.endedWith', { code })
}
