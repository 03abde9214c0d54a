/** What the kernel offers to keep people within their folders. */
import { machinePowers } from '#server/app.ts'
import { type Finding, fine, warning } from './finding.ts'

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
