/** Event commands: the administrator's commands, which run before and after the operations of `Scope` (docs/api.md 6). */
import type { FileEvent } from '#server/access/file-events.ts'
import type { HookName } from '#wire/api/events.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, ROOT } from '#wire/paths.ts'
import { type EventCommand, type EventVariables, eventCommand, hasCommand } from './commands.ts'
import type { RunningProgram } from './run.ts'
import type { Shell } from './shell.ts'
import { decodeText, linesOf } from './text.ts'

/** Lines that one command may write to the log from stdout, and from stderr; longer ones are split. */
const LOG_LINES_MAX = 100
const LOG_LINE_MAX_CHARS = 1000

/** Receives the output of event commands, line by line. */
export type OutputListener = (hook: HookName, line: string) => void

export class EventCommands {
  readonly #shell: Shell
  readonly #settings: () => Pick<GlobalSettings, 'commands' | 'shell'>
  readonly #listeners = new Set<OutputListener>()

  constructor(shell: Shell, settings: () => Pick<GlobalSettings, 'commands' | 'shell'>) {
    this.#shell = shell
    this.#settings = settings
  }

  listen(listener: OutputListener): void {
    this.#listeners.add(listener)
  }

  /**
   * Runs the commands of an event one after the other, isolated in the scope of the actor.
   *
   * @throws Fault internal if a command cannot be started, or one fails that does not run in the background; its output
   *   is only in the log
   */
  async run(event: FileEvent): Promise<void> {
    const { hook } = event
    const { commands, shell } = this.#settings()
    const lines = commands[hook]?.filter(hasCommand) ?? []
    if (lines.length === 0 || this.#shell.off !== undefined) return
    for (const [index, line] of lines.entries()) {
      const cause = await this.#runLine(event, line, shell)
      if (cause === undefined) continue
      throw new Fault('internal', `Command ${index + 1} of the event ${hook} failed.`, { cause })
    }
  }

  /** @returns the error for the log; undefined if the command succeeded or runs in the background */
  async #runLine(
    event: FileEvent,
    line: string,
    shell: readonly string[],
  ): Promise<string | undefined> {
    const { hook } = event
    try {
      const { running, isBackground } = await this.#start(event, line, shell)
      const ended = this.#outcome(hook, running)
      if (!isBackground) return await ended
      void ended.then((problem) => problem && this.#logLine(hook, problem))
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async #start(
    event: FileEvent,
    line: string,
    shell: readonly string[],
  ): Promise<Pick<EventCommand, 'isBackground'> & { running: RunningProgram }> {
    const folder = await event.openForCommand()
    let command: EventCommand
    const values = valuesOf(event, folder.disk)
    try {
      command = eventCommand(line, values, shell)
    } catch (error) {
      folder[Symbol.dispose]()
      throw error
    }
    const running = this.#shell.start({ argv: command.argv, folder, env: { ...values } })
    return { running, isBackground: command.isBackground }
  }

  /**
   * Waits for the end of a command.
   *
   * @returns the error; undefined if it succeeded
   */
  async #outcome(hook: HookName, running: RunningProgram): Promise<string | undefined> {
    await Promise.all([
      this.#logOutput(hook, running, 'stdout'),
      this.#logOutput(hook, running, 'stderr'),
    ])
    const { code, endReason } = await running.ended
    if (endReason) return `ended: ${endReason}`
    return code === 0 ? undefined : `ended with ${code}`
  }

  async #logOutput(
    hook: HookName,
    running: RunningProgram,
    from: 'stdout' | 'stderr',
  ): Promise<void> {
    let logged = 0
    for await (const line of linesOf(decodeText(running.output(from)), LOG_LINE_MAX_CHARS)) {
      logged += 1
      if (logged <= LOG_LINES_MAX) this.#logLine(hook, line)
      if (logged === LOG_LINES_MAX + 1) this.#logLine(hook, '(the rest is left out)')
    }
  }

  #logLine(hook: HookName, line: string): void {
    for (const listener of this.#listeners) listener(hook, line)
  }
}

function valuesOf(
  { hook, actor, path, destination }: FileEvent,
  rootFolder: string,
): EventVariables {
  const onDisk = (treePath: string) => joinPath(ROOT, `${rootFolder}/${treePath}`)
  return {
    FILE: onDisk(path),
    SCOPE: actor.scope,
    TRIGGER: hook,
    USERNAME: actor.username,
    // File Browser sets this to the folder of the scope if there is no destination.
    DESTINATION: destination === undefined ? rootFolder : onDisk(destination),
  }
}
