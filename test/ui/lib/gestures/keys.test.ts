import { describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { ariaKeys, isTextCommand, keyLabel, keysOf } from '#ui/lib/gestures/keys.ts'

const press = (key: string, held: KeyboardEventInit = {}) =>
  keysOf(new KeyboardEvent('keydown', { key, ...held }))

describe('keys', () => {
  test.each([
    ['Delete', {}, 'Delete'],
    ['F2', {}, 'F2'],
    [' ', {}, 'Space'],
    ['a', { ctrlKey: true }, 'Ctrl+A'],
    ['a', { metaKey: true }, 'Ctrl+A'],
    ['F', { ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+F'],
    ['?', { shiftKey: true }, '?'],
    ['ArrowUp', { altKey: true }, 'Alt+ArrowUp'],
    ['Delete', { shiftKey: true }, 'Shift+Delete'],
  ] as const)('the key %p with %j held is called %s', (key, held, keys) => {
    expect(press(key, held)).toBe(keys)
  })

  test('keys are displayed as on the keyboard', () => {
    expect(keyLabel('Ctrl+Shift+F', false)).toBe('Ctrl Shift F')
    expect(keyLabel('Ctrl+Shift+F', true)).toBe('⌘⇧F')
    expect(keyLabel('Delete', false)).toBe('Del')
    expect(ariaKeys('Ctrl+A', false)).toBe('Control+A')
    expect(ariaKeys('Ctrl+A', true)).toBe('Meta+A')
    expect(ariaKeys('+', false)).toBe('Plus')
  })

  test('only on a Mac, Ctrl without Command edits text', () => {
    const ctrl = new KeyboardEvent('keydown', { key: 'k', ctrlKey: true })
    const command = new KeyboardEvent('keydown', { key: 'k', metaKey: true })
    expect([isTextCommand(ctrl, true), isTextCommand(command, true)]).toEqual([true, false])
    expect(isTextCommand(ctrl, false)).toBe(false)
  })
})
