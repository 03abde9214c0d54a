/**
 * filemgr draw: renders one SVG file and ends. The server (server/files/previews/svg-renderer.ts) starts this command as a child
 * process for each SVG file, because it can end a child process that takes too long.
 */
import type { Command } from 'commander'
import { renderIncludingSvg } from '#server/files/previews/thumbnails.ts'

export function drawCommand(program: Command): void {
  program
    .command('draw', { hidden: true })
    .description('internal: the server starts it to render a picture from standard input')
    .argument('<size-json>', 'width, height and fit of the result, as JSON')
    .action(async (sizeJson: string) => {
      const { type, bytes } = await renderIncludingSvg(
        await Bun.stdin.bytes(),
        JSON.parse(sizeJson),
      )
      await Bun.write(Bun.stdout, new Blob([`${type}\n`, new Uint8Array(bytes)]))
    })
}
