import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import type { Job } from '#wire/api/jobs.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { shownEnd } from './browser.ts'
import type { Peer } from './peer.ts'
import { openReactPage, type ReactPage } from './react-page.ts'

let peer: Peer
let page: ReactPage
let act: typeof import('react').act
let tasks: typeof import('#ui/uploads/queue/tasks.ts')
let signals: typeof import('#ui/uploads/queue/signals.ts')
let queue: typeof import('#ui/uploads/queue/queue.ts')
let prompts: typeof import('#ui/state/dialogs/prompts.ts')
let unmount: () => void

beforeAll(async () => {
  page = await openReactPage()
  ;({ act, peer } = page)
  tasks = await import('#ui/uploads/queue/tasks.ts')
  signals = await import('#ui/uploads/queue/signals.ts')
  queue = await import('#ui/uploads/queue/queue.ts')
  prompts = await import('#ui/state/dialogs/prompts.ts')
})

afterAll(async () => {
  await page.close()
})

beforeEach(async () => {
  const { session } = await import('#ui/state/session/session.ts')
  session.user = null
  const { ProgressCard } = await import('#ui/features/progress/ProgressCard.tsx')
  unmount = await page.mount(<ProgressCard userId={undefined} />)
})

afterEach(async () => {
  await act(() => {
    queue.abortAll()
    signals.finishTasks()
    signals.clearTasks()
    prompts.dismiss()
    unmount()
  })
  document.body.replaceChildren()
})

function taskOf(name: string) {
  const file = new File(['four'], name)
  const path = parsePath(`/${name}`)
  const upload = { file, path, relativePath: name, override: false }
  return tasks.createTask({ path, upload, userId: undefined })
}

function folderTaskOf(name: string) {
  return { ...taskOf(name), group: parsePath('/photos') }
}

function words(selector: string): string | undefined {
  return document.querySelector(selector)?.textContent
}

function rowNames(): string[] {
  return [...document.querySelectorAll('.UploadItem .Name')].map((name) => name.textContent)
}

test('the panel is hidden without uploads @spec-2.47', () => {
  expect(document.querySelector('.PanelCard')).toBeNull()
})

test('the panel shows the number of uploads, and renders only rows near the viewport', async () => {
  const many = Array.from({ length: 2000 }, (_, at) => taskOf(`${at}.txt`))
  await act(() => signals.showTasks(many))
  expect(words('.PanelCard h2')).toBe('Uploading 0 of 2,000 files')
  expect(document.querySelectorAll('.UploadItem').length).toBeLessThan(20)
  // Nothing is sent yet: there is neither a speed nor an end.
  expect(words('.ProgressTotal')).toBe('0% · 0 B of 7.81 KiB')
})

test('the rows that are rendered follow the scroll position, also if the first has a border', async () => {
  await act(() => signals.showTasks(Array.from({ length: 1000 }, (_, at) => taskOf(`${at}.txt`))))
  const list = document.querySelector('.ProgressList')
  if (!list) throw new Error('There is a list.')
  // happy-dom has no layout: a job of 51 px, and uploads of 60 px, of which the first has a border of 1 px.
  for (const row of list.querySelectorAll('.ProgressList__upload')) {
    Object.defineProperty(row, 'clientHeight', { value: 59 })
    Object.assign(row, { getBoundingClientRect: () => ({ height: 60 }) })
  }
  Object.defineProperty(list, 'scrollHeight', { value: 51 + 1000 * 60 })
  list.scrollTop = 51 + 40 * 60
  await act(async () => list.dispatchEvent(new Event('scroll')))
  expect(rowNames()).toContain('40.txt')
})

test('a new upload does not count the time since an earlier one', async () => {
  const now = performance.now()
  const clock = spyOn(performance, 'now')
  try {
    await act(() => signals.clearTasks())
    clock.mockReturnValue(now + 60_000)
    await act(() => signals.showTasks([taskOf('later.txt')]))
    expect(words('.ProgressTotal')).toBe('0% · 0 B of 4 B')
  } finally {
    clock.mockRestore()
  }
})

test('a folder is one row; each failed file has its own @spec-2.24', async () => {
  const [one, two, three] = ['photos/1', 'photos/2', 'photos/deep/3'].map(folderTaskOf)
  if (!one || !two || !three) throw new Error('There are three.')
  await act(() => signals.showTasks([one, two, three, taskOf('alone.txt')]))
  expect(rowNames()).toEqual(['photos', 'alone.txt'])
  expect(words('.UploadItem__line bdi')).toBe('0 of 3 files')

  Object.assign(one, { state: 'done', sentBytes: 4 })
  Object.assign(two, { state: 'active', sentBytes: 2 })
  Object.assign(three, { state: 'failed', error: new Fault('noSpace', '507') })
  for (const task of [one, two, three]) signals.markChanged(task)
  await act(() => signals.showTasks([]))
  expect(rowNames()).toEqual(['photos', '3', 'alone.txt'])
  expect(words('.UploadItem__line bdi')).toBe('1 of 3 files')
  expect(words('.UploadItem__reason')).toBe('There is no space left on the server.')
  const bar = document.querySelector('.UploadItem [role=progressbar]')
  expect(bar?.getAttribute('aria-valuenow')).toBe('50')
})

test('cancelling a folder asks once, and keeps the others', async () => {
  const [one, two] = ['photos/1', 'photos/2'].map(folderTaskOf)
  if (!one || !two) throw new Error('There are two.')
  const alone = taskOf('alone.txt')
  Object.assign(one, { state: 'done' })
  Object.assign(two, { state: 'active' })
  await act(() => signals.showTasks([one, two, alone]))
  const stop = document.querySelector<HTMLElement>('[aria-label="Stop uploading photos"]')
  await act(async () => stop?.click())
  const [asked] = prompts.prompts.stack
  expect(asked?.question).toEqual({ name: 'abortUploads', count: 1 })
  await act(async () => prompts.answer(asked?.id ?? 0, true))
  expect([one.state, two.state, alone.state]).toEqual(['done', 'aborted', 'queued'])
})

const JOB: Job = {
  id: 7,
  kind: 'copy',
  username: 'anna',
  to: '/b',
  path: '/a',
  items: 1,
  failed: 0,
  state: 'running',
  fault: '',
  reason: '',
  made: '',
  ended: '',
  files: 2,
  bytes: 8,
  filesDone: 1,
  bytesDone: 4,
  isPartial: false,
  speed: 2,
  current: '',
  problems: [],
  entries: [],
}

test('uploads and jobs are rows of one list below one header @spec-2.39', async () => {
  const { jobs } = await import('#ui/state/changes/jobs.ts')
  const { ref } = await import('valtio')
  const names = () =>
    [...document.querySelectorAll('.ProgressList .Name')].map((name) => name.textContent)
  await act(() => {
    signals.showTasks([taskOf('one.txt'), taskOf('two.txt')])
    jobs.shown = ref([JOB])
  })
  expect(document.querySelectorAll('.PanelCard')).toHaveLength(1)
  expect(words('.PanelCard h2')).toBe('2 uploads, 1 job')
  expect(names()).toEqual(['Copy a to b', 'one.txt', 'two.txt'])
  expect(words('.ProgressTotal')).toContain('25% · 4 B of 16 B')

  await act(() => {
    jobs.shown = ref([{ ...JOB, state: 'done' }])
    queue.abortAll()
    signals.finishTasks()
  })
  expect(words('.PanelCard h2')).toBe('1 job finished')
  await act(() => {
    jobs.shown = ref([])
  })
  expect(document.querySelector('.PanelCard')).toBeNull()
})

test('a job that the server has paused needs attention, and one that the user has paused does not', async () => {
  const { jobs } = await import('#ui/state/changes/jobs.ts')
  const { ref } = await import('valtio')
  const phaseWith = async (job: Job) => {
    await act(() => {
      jobs.shown = ref([job])
    })
    const panel = document.querySelector<HTMLElement>('.PanelCard')
    return [panel?.dataset.phase, words('.PanelCard h2')]
  }
  const full = { ...JOB, state: 'paused', fault: 'noSpace', reason: 'The disk is full.' } as const
  expect(await phaseWith(full)).toEqual(['stopped', '1 job with problems'])
  expect(await phaseWith({ ...JOB, state: 'paused' })).toEqual(['active', '1 job in progress'])
  await act(() => {
    jobs.shown = ref([])
  })
})

test('dismissing finished jobs deletes only one’s own jobs on the server @spec-2.39', async () => {
  const { session } = await import('#ui/state/session/session.ts')
  const { dismissJobs } = await import('#ui/state/changes/jobs.ts')
  session.user = { username: 'anna' } as never
  const forgotten: string[] = []
  peer.intercept = (_, call) => {
    if (call.startsWith('DELETE')) forgotten.push(call)
    return undefined
  }
  const over = { ...JOB, state: 'done' as const }
  await dismissJobs([over, { ...over, id: 8, username: 'ingrid' }])
  expect(forgotten).toEqual(['DELETE /api/jobs/7'])
})

test('the panel says that the server does not have a file as it was sent, and offers a retry', async () => {
  const { NotAsSentError } = await import('#ui/uploads/send/retry.ts')
  const failed = Object.assign(taskOf('a.bin'), { state: 'failed', error: new NotAsSentError() })
  await act(() => signals.showTasks([failed]))
  await act(() => signals.finishTasks())
  expect(words('.UploadItem__reason')).toBe(
    'The server does not have the file as it was sent: it was changed, moved or deleted there.',
  )
  expect(document.querySelector('.UploadItem [aria-label^="Try again"]')).not.toBeNull()
})

test('the panel shows why a file failed and offers a retry', async () => {
  const task = taskOf('a.txt')
  Object.assign(task, { state: 'failed', error: new Fault('noSpace', '507') })
  await act(() => {
    signals.showTasks([task])
    signals.finishTasks()
  })
  expect(words('.PanelCard h2')).toBe('1 file not uploaded')
  expect(words('.UploadItem__reason')).toBe('There is no space left on the server.')
  peer.intercept = () => undefined
  const arrived = Promise.withResolvers<void>()
  const stop = signals.phase.subscribe((phase) => {
    if (phase === 'done') arrived.resolve()
  })
  const again = document.querySelector<HTMLButtonElement>('[aria-label="Try again: a.txt"]')
  await act(async () => {
    again?.click()
    await arrived.promise
  })
  stop()
  expect(words('.PanelCard h2')).toBe('1 file uploaded')
  expect(peer.files.has('/a.txt')).toBe(true)
})

test('the panel asks before it cancels all uploads', async () => {
  peer.intercept = (_, call) => (call.startsWith('POST') ? new Promise(() => {}) : undefined)
  const file = new File(['four'], 'slow.txt')
  const uploading = queue.uploadFiles([{ file, path: 'slow.txt', isDir: false }], ROOT)
  const moving = Promise.withResolvers<void>()
  const stop = signals.rows.subscribe((rows) => {
    if (rows.some((row) => row.shown.value.state === 'active')) moving.resolve()
  })
  await act(() => moving.promise)
  stop()
  await act(async () => document.querySelector<HTMLElement>('[aria-label^="Stop all"]')?.click())
  const [asked] = prompts.prompts.stack
  expect(asked?.question).toEqual({ name: 'abortUploads', count: 1 })
  await act(async () => {
    prompts.answer(asked?.id ?? 0, true)
    await shownEnd(uploading)
  })
  expect(document.querySelector('.PanelCard')).toBeNull()
})
