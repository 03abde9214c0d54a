import { expect, test } from 'bun:test'
import { type LogView, ShellLog } from '#ui/lib/text/shell-log.ts'

const lines = ({ blocks }: LogView) =>
  blocks.flatMap((block) =>
    block.lines.map(({ kind, runs }) => `${kind}: ${runs.map(({ text }) => text).join('')}`),
  )

test('the output of a program becomes lines, with errors separate', () => {
  const log = new ShellLog(100)
  log.add('command', 'make', 'docs')
  log.write('stdout', 'one\ntw')
  log.write('stdout', 'o\n\nthr')
  log.write('stderr', 'oops\n')
  log.write('stdout', 'ee\n')
  log.end()
  log.add('note', 'Ended.')
  expect(lines(log.view())).toEqual([
    'command: make',
    'stdout: one',
    'stdout: two',
    'stdout: ',
    'stdout: thr',
    'stderr: oops',
    'stdout: ee',
    'note: Ended.',
  ])
  expect(log.view().blocks[0]?.lines[0]?.folder).toBe('docs')
})

test('a line that is started again shows the last text', () => {
  const log = new ShellLog(100)
  log.write('stderr', '10%\r')
  log.write('stderr', '20%\r30%')
  expect(lines(log.view())).toEqual(['stderr: 30%'])
})

test('styles of one program do not apply to the next', () => {
  const log = new ShellLog(100)
  log.write('stdout', '\u001b[31mred')
  log.end()
  log.write('stdout', 'plain')
  const runs = log.view().blocks.flatMap((block) => block.lines.flatMap((line) => line.runs))
  expect(runs.map(({ style }) => style.color)).toEqual([1, undefined])
})

test('the oldest lines are dropped and counted', () => {
  const log = new ShellLog(500)
  log.write('stdout', Array.from({ length: 1234 }, (_, at) => `${at}\n`).join(''))
  const view = log.view()
  expect(view.dropped).toBe(734)
  expect(lines(view)).toHaveLength(500)
  expect(lines(view)[0]).toBe('stdout: 734')
  expect(lines(view).at(-1)).toBe('stdout: 1233')
  log.clear()
  expect(log.view()).toEqual({ blocks: [], dropped: 0 })
})

test('a long line is wrapped', () => {
  const log = new ShellLog(100)
  log.write('stdout', 'x'.repeat(20_000))
  expect(lines(log.view()).join('').replaceAll('stdout: ', '')).toBe('x'.repeat(20_000))
  expect(lines(log.view())).toHaveLength(3)
})

test('blocks that have not changed are the same objects', () => {
  const log = new ShellLog(5000)
  log.write('stdout', 'x\n'.repeat(450))
  const before = log.view()
  log.write('stdout', 'y')
  const after = log.view()
  expect(after.blocks.map((block, at) => block === before.blocks[at])).toEqual([true, true, false])
  log.write('stdout', 'z')
  expect(log.view().blocks[2]).not.toBe(after.blocks[2])
  expect(lines(log.view()).at(-1)).toBe('stdout: yz')
})
