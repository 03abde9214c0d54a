/** What the kernel offers to keep people within their folders. */
import { commandWalls, machinePowers } from '#server/app.ts'
import type { Config } from '#server/config/load.ts'
import { Fault } from '#wire/fault.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

export function machineFindings(): Finding[] {
  const { beneath, landlock, landlockNeeded } = machinePowers()
  return [
    beneath
      ? fine('The kernel keeps paths beneath the served folder (openat2).')
      : warning(
          'The kernel has no openat2: paths are walked step by step.',
          'Linux 5.6 or newer is faster and stricter; containers must allow the call.',
        ),
    landlock >= landlockNeeded
      ? fine(`The kernel can wall in commands (Landlock ${landlock}).`)
      : warning(
          'The kernel cannot wall in commands: they stay off.',
          'Linux 6.2 or newer with Landlock is needed for --exec.',
        ),
  ]
}

/** Which walls stand around commands, tried out; nothing where the operator wants no commands. */
export async function wallFindings(config: Config, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (!config.flag('exec')) return []
  try {
    const { walls, notice } = await commandWalls(config, env)
    const around = walls === undefined ? [] : [fine(WALLS[walls])]
    return notice === undefined ? around : [...around, warning(notice, 'See SECURITY.md.')]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return [problem(error.message, 'Commands cannot be tried out.')]
  }
}

const WALLS = {
  root: 'Commands run in a file tree and among processes of their own, behind Landlock and a call filter.',
  landlock: 'Commands run behind Landlock and a call filter.',
  none: 'Commands run with limits alone.',
}
