import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type EventVariables, eventCommand, isAllowed, splitLine } from '#server/shell/commands.ts'
import { Fault } from '#wire/fault.ts'

describe('a line is split', () => {
  test.each([
    ['ls -la', ['ls', '-la']],
    ['  ls \t -la\n', ['ls', '-la']],
    ["echo 'a b' c", ['echo', 'a b', 'c']],
    ['echo "a b"c', ['echo', 'a bc']],
    ['echo a\\ b', ['echo', 'a b']],
    ['cat 9.41\u202fAM.png a\u00a0b\u3000c', ['cat', '9.41\u202fAM.png', 'a\u00a0b\u3000c']],
    ['ls\r\n', ['ls']],
    ['echo \'a\\b\' "a\\b" "a\\"b"', ['echo', 'a\\b', 'a\\b', 'a"b']],
    ['echo \'\' ""', ['echo', '', '']],
    ['echo a # the rest', ['echo', 'a']],
    ['echo a#b', ['echo', 'a#b']],
    ["echo '#'", ['echo', '#']],
    ['# nothing', []],
    ['# one\nls', ['ls']],
    ['ls \\\n-la', ['ls', '-la']],
    ['', []],
    ['ls; touch pwn', ['ls;', 'touch', 'pwn']],
    ['ls $(touch pwn) `x` | & > < *', ['ls', '$(touch', 'pwn)', '`x`', '|', '&', '>', '<', '*']],
  ])('the line %j is split', (line, words) => {
    expect(splitLine(line)).toEqual(words)
  })

  test.each(['echo "a', "echo 'a", 'echo \\', 'a\0b'])('the line %j is refused', (line) => {
    expect(() => splitLine(line)).toThrow(Fault)
  })

  test('a line of quoted words is split into the same words', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitLine(words.map(quoted).join(' '))).toEqual(words)
      }),
    )
  })
})

describe('the list of programs', () => {
  test.each([
    ['ls', true],
    ['ls -la', true],
    ['lsx', false],
    ['lsof', false],
    ['l', false],
    ['LS', false],
    ['/bin/ls', false],
    ['./ls', false],
    ['ls; touch pwn', false],
    ['"" ls', false],
    ['', false],
  ])('whether the line %j is allowed if only ls is on the list is %p', (line, allowed) => {
    expect(isAllowed(splitLine(line), ['ls', ''])).toBe(allowed)
  })
})

describe('an event command', () => {
  const values: EventVariables = {
    FILE: '/srv/a;touch pwn; $USERNAME "b".txt',
    SCOPE: '/',
    TRIGGER: 'after_upload',
    USERNAME: 'anna',
    DESTINATION: '/srv',
  }

  test('each value is a part of one argument of an event command', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how such commands are written
    expect(eventCommand('cp $FILE "to ${DESTINATION}/x" $FILES $HOME', values, [])).toEqual({
      argv: ['cp', values.FILE, 'to /srv/x', '$FILES', '$HOME'],
      isBackground: false,
    })
  })

  test('the program of an event command is not replaced by a value', () => {
    expect(eventCommand('$FILE x', values, []).argv[0]).toBe('$FILE')
  })

  test('an event command reaches a configured shell unchanged', () => {
    const line = 'cp "$FILE" /x | cat'
    expect(eventCommand(line, values, ['sh', '-c'])).toEqual({
      argv: ['sh', '-c', line],
      isBackground: false,
    })
  })

  test('an event command that ends with & runs in the background', () => {
    expect(eventCommand('sleep 5 &', values, [])).toEqual({
      argv: ['sleep', '5'],
      isBackground: true,
    })
    expect(eventCommand('sleep 5&', values, ['sh', '-c'])).toEqual({
      argv: ['sh', '-c', 'sleep 5'],
      isBackground: true,
    })
  })

  test('an event command that ends with an escaped & does not run in the background', () => {
    expect(eventCommand('echo a \\& ', values, [])).toEqual({
      argv: ['echo', 'a', '&'],
      isBackground: false,
    })
    expect(eventCommand('echo a\\\\&', values, [])).toEqual({
      argv: ['echo', 'a\\'],
      isBackground: true,
    })
  })

  test('the time to parse an event command does not grow faster than its length', () => {
    const line = `echo${' '.repeat(100_000)}x`
    expect(eventCommand(line, values, [])).toEqual({ argv: ['echo', 'x'], isBackground: false })
  })

  test('an event command that names no program is refused', () => {
    expect(() => eventCommand('# nothing', values, [])).toThrow(Fault)
    expect(() => eventCommand('&', values, [])).toThrow(Fault)
  })
})
