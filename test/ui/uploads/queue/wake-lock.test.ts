import { expect, test } from 'bun:test'
import '../../browser.ts'
import { stayAwake } from '#ui/uploads/queue/wake-lock.ts'

let visibility = 'visible'
Object.defineProperty(document, 'visibilityState', { get: () => visibility, configurable: true })

const held: { released: boolean; release(): Promise<void> }[] = []
Object.defineProperty(navigator, 'wakeLock', {
  value: {
    async request() {
      const lock = {
        released: false,
        async release() {
          lock.released = true
        },
      }
      held.push(lock)
      return lock
    },
  },
  configurable: true,
})

const awake = () => held.filter(({ released }) => !released).length
const settle = () => new Promise(setImmediate)

/** Shows or hides the page. A hidden page loses its lock, as in a browser. */
async function turn(state: 'visible' | 'hidden'): Promise<void> {
  visibility = state
  if (state === 'hidden') for (const lock of held) lock.released = true
  document.dispatchEvent(new window.Event('visibilitychange'))
  await settle()
}

test('the device stays awake during an upload, while the page is visible', async () => {
  stayAwake(true)
  stayAwake(true)
  await settle()
  expect(awake()).toBe(1)
  await turn('hidden')
  expect(awake()).toBe(0)
  await turn('visible')
  expect(awake()).toBe(1)
  stayAwake(false)
  await settle()
  expect(awake()).toBe(0)
  await turn('visible')
  expect(awake()).toBe(0)
})
