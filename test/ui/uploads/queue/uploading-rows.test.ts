/** The uploads that are shown in the listing of a folder before the listing contains them. */
import { afterEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { clearTasks, finishTasks, showTasks } from '#ui/uploads/queue/signals.ts'
import { createTask } from '#ui/uploads/queue/tasks.ts'
import { isUploading, uploadingRowsIn } from '#ui/uploads/queue/uploading-rows.ts'
import { parsePath } from '#wire/paths.ts'

const FOLDER = parsePath('/in')

function taskOf(path: string, group?: string) {
  const upload = {
    file: new File(['x'], 'x'),
    path: parsePath(path),
    relativePath: '',
    override: false,
  }
  const of = { path: upload.path, upload, userId: 1 }
  return createTask({ ...of, group: group === undefined ? undefined : parsePath(group) })
}

const namesIn = (folder: string, ...listed: string[]) =>
  uploadingRowsIn(parsePath(folder), () => new Set(listed)).map(({ name }) => name)

afterEach(() => {
  finishTasks()
  clearTasks()
  isUploading.value = false
})

test('files and folders that are uploaded into the folder are listed, except for listed and failed ones @spec-2.25', () => {
  const failed = Object.assign(taskOf('/in/failed'), { state: 'failed' })
  isUploading.value = true
  showTasks([
    taskOf('/in/b10.txt'),
    taskOf('/in/b9.txt'),
    taskOf('/in/there.txt'),
    taskOf('/in/photos/deep/1.jpg', '/in/photos'),
    taskOf('/elsewhere/a.txt'),
    taskOf('/in-between'),
    failed,
  ])
  expect(namesIn('/in', 'there.txt')).toEqual(['photos', 'b9.txt', 'b10.txt'])
  expect(namesIn('/elsewhere')).toEqual(['a.txt'])
  expect(namesIn('/in/photos')).toEqual([])
  expect(namesIn('/')).toEqual(['in-between'])
})

test('no row is left once the listing contains the uploaded entries', () => {
  isUploading.value = true
  showTasks([taskOf('/in/a.txt')])
  expect(uploadingRowsIn(FOLDER, () => new Set())).toHaveLength(1)
  isUploading.value = false
  expect(uploadingRowsIn(FOLDER, () => new Set())).toEqual([])
})
