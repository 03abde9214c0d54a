/** filemgr draw: renders an SVG file for the server, in a process that can be ended. */
import type { Command } from 'commander'
import { renderInProcess } from '#server/files/thumbnails.ts'

export function drawCommand(program: Command): void {
  program
    .command('draw', { hidden: true })
    .description('internal: render a picture from standard input')
    .argument('<size>')
    .action(async (size: string) => {
      const { type, bytes } = await renderInProcess(await Bun.stdin.bytes(), JSON.parse(size))
      await Bun.write(Bun.stdout, new Blob([`${type}\n`, new Uint8Array(bytes)]))
    })
}
