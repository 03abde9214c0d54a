/** Scripts with curl, as users of File Browser have them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/files/tree.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let folder: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  app = await openTestApp()
  folder = temporaryFolder()
})
afterAll(async () => {
  await app.stop()
  folder.remove()
})

/** Runs a script as a user would write it; the first failing line ends it. */
async function script(text: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    URL: app.url,
    PASS: PASSWORD,
    ADMIN_PASS: app.server.password,
  }
  const shell = promisify(execFile)
  const { stdout } = await shell('sh', ['-euc', text], { cwd: folder.path, env })
  return stdout
}

const LOGIN = `TOKEN=$(curl -sf -X POST "$URL/api/login" -H 'Content-Type: application/json' -d "{\\"username\\":\\"anna\\",\\"password\\":\\"$PASS\\",\\"recaptcha\\":\\"\\"}")`

test('curl logs in, uploads, overwrites, lists, downloads and deletes @spec-7.7', async () => {
  writeFileSync(join(folder.path, 'photo 1.jpg'), 'one')
  writeFileSync(join(folder.path, 'second.jpg'), 'two')
  const answer = await script(`${LOGIN}
    curl -sf -X POST -H "X-Auth: $TOKEN" "$URL/api/resources/backup/" -o /dev/null
    curl -sf -X POST -H "X-Auth: $TOKEN" --data-binary @'photo 1.jpg' "$URL/api/resources/backup/photo%201.jpg?override=true" -o /dev/null
    curl -sf -T second.jpg -X POST -H "X-Auth: $TOKEN" "$URL/api/resources/backup/photo%201.jpg?override=true" -o /dev/null
    curl -s -o /dev/null -w '%{http_code} ' -X POST -H "X-Auth: $TOKEN" --data-binary @second.jpg "$URL/api/resources/backup/photo%201.jpg"
    curl -sf -H "X-Auth: $TOKEN" "$URL/api/resources/backup/" | grep -o '"numFiles":1'
    rm 'photo 1.jpg'
    curl -sfOJ -H "X-Auth: $TOKEN" "$URL/api/raw/backup/photo%201.jpg"
    curl -sf -H "Cookie: auth=$TOKEN" "$URL/api/raw/backup/?algo=tar" | tar tf - | sort
    curl -sf -X DELETE -H "X-Auth: $TOKEN" "$URL/api/resources/backup/" -w '%{http_code}'`)
  expect(answer).toBe('409 "numFiles":1\nphoto 1.jpg\n204')
  expect(readFileSync(join(folder.path, 'photo 1.jpg'), 'utf8')).toBe('two')
})

test('curl creates a share for a day with a password, and downloads it without an account @spec-7.42', async () => {
  writeFileSync(join(folder.path, 'report.pdf'), 'quarterly')
  const answer = await script(`${LOGIN}
    curl -sf -X POST -H "X-Auth: $TOKEN" --data-binary @report.pdf "$URL/api/resources/report.pdf" -o /dev/null
    HASH=$(curl -sf -X POST -H "X-Auth: $TOKEN" -d '{"password":"tell nobody","expires":"24","unit":"hours"}' "$URL/api/share/report.pdf" | sed 's/.*"hash":"\\([^"]*\\)".*/\\1/')
    curl -s -o /dev/null -w '%{http_code} ' "$URL/api/public/dl/$HASH"
    curl -sf -H 'X-SHARE-PASSWORD: tell%20nobody' "$URL/api/public/dl/$HASH/report.pdf"
    curl -sf -X DELETE -H "X-Auth: $TOKEN" "$URL/api/share/$HASH" -o /dev/null
    curl -s -o /dev/null -w ' %{http_code}' "$URL/api/public/dl/$HASH"`)
  expect(answer).toBe('401 quarterly 404')
})

test('curl -F sends a form, and the file in it is stored, or files below a folder', async () => {
  writeFileSync(join(folder.path, 'song.mp3'), 'music')
  writeFileSync(join(folder.path, 'tune.mp3'), 'other')
  const answer = await script(`${LOGIN}
    curl -sf -F file=@song.mp3 -H "X-Auth: $TOKEN" "$URL/api/resources/song.mp3" -o /dev/null
    curl -s -F a=@song.mp3 -F b=@tune.mp3 -o /dev/null -w '%{http_code} ' -H "X-Auth: $TOKEN" "$URL/api/resources/two.mp3"
    curl -s -F file=@song.mp3 -o /dev/null -w '%{http_code} ' -H "X-Auth: $TOKEN" "$URL/api/resources/music/"
    curl -sf -F file=@song.mp3 -F file=@tune.mp3 -o /dev/null -H "X-Auth: $TOKEN" "$URL/api/batch/music/"
    curl -sf -X PUT -F file=@tune.mp3 -H "X-Auth: $TOKEN" "$URL/api/resources/music/song.mp3" -o /dev/null
    curl -sf -H "X-Auth: $TOKEN" "$URL/api/raw/song.mp3" "$URL/api/raw/music/song.mp3"`)
  expect(answer).toBe('415 415 musicother')
})

test('curl -OJ saves each kind of download under its name', async () => {
  mkdirSync(join(folder.path, 'saved'))
  const answer = await script(`${LOGIN}
    for NAME in plain.txt 'with space.txt' 'café.txt' 'say "hi".txt' 'a;b=c,d.txt' '100%.txt'; do
      CODED=$(printf %s "$NAME" | od -An -v -tx1 | tr -d '\\n' | sed 's/ /%/g')
      printf %s "$NAME" | curl -sf -X POST -H "X-Auth: $TOKEN" --data-binary @- "$URL/api/resources/named/$CODED" -o /dev/null
      (cd saved && curl -sfOJ -H "X-Auth: $TOKEN" "$URL/api/raw/named/$CODED?inline=true")
    done
    HASH=$(curl -sf -X POST -H "X-Auth: $TOKEN" -d '{}' "$URL/api/share/named/plain.txt" | sed 's/.*"hash":"\\([^"]*\\)".*/\\1/')
    FOLDER=$(curl -sf -X POST -H "X-Auth: $TOKEN" -d '{}' "$URL/api/share/named/" | sed 's/.*"hash":"\\([^"]*\\)".*/\\1/')
    cd saved
    rm plain.txt
    curl -sfOJ "$URL/api/public/dl/$HASH"
    curl -sfOJ "$URL/api/public/dl/$FOLDER"
    curl -sfOJ -H "X-Auth: $TOKEN" "$URL/api/raw/named/?algo=targz"
    curl -sf -X POST -H "X-Auth: $TOKEN" --data-binary @named.zip "$URL/api/resources/a.zip" -o /dev/null
    rm 'with space.txt'
    curl -sfOJ -H "X-Auth: $TOKEN" "$URL/api/archive-file/a.zip?inside=/with%20space.txt"
    curl -sfOJ -H "X-Auth: $TOKEN" "$URL/api/audit?format=csv"
    ls`)
  expect(answer.trim().split('\n').sort()).toEqual([
    '100%.txt',
    'a;b=c,d.txt',
    'audit.csv',
    'cafe.txt',
    'named.tar.gz',
    'named.zip',
    'plain.txt',
    'say _hi_.txt',
    'with space.txt',
  ])
})

test('curl moves, copies, checksums, searches and resumes a download', async () => {
  writeFileSync(join(folder.path, 'data.bin'), '0123456789')
  const answer = await script(`${LOGIN}
    curl -sf -X POST -H "X-Auth: $TOKEN" --data-binary @data.bin "$URL/api/resources/a%20b.bin" -o /dev/null
    curl -sf -X PATCH -H "X-Auth: $TOKEN" "$URL/api/resources/a%20b.bin?action=copy&destination=%2Fcopy%2520of.bin" -o /dev/null
    curl -sf -X PATCH -H "X-Auth: $TOKEN" "$URL/api/resources/a%20b.bin?action=rename&destination=/moved.bin" -o /dev/null
    curl -sf -H "X-Auth: $TOKEN" "$URL/api/resources/copy%20of.bin?checksum=md5" | grep -o '781e5e245d69b566979b86e28d23f2c7'
    curl -sf -H "X-Auth: $TOKEN" "$URL/api/search/?query=moved" | grep path
    printf 01234 > part.bin; curl -sf -C - -H "X-Auth: $TOKEN" "$URL/api/raw/moved.bin" -o part.bin; cat part.bin`)
  expect(answer).toBe(
    '781e5e245d69b566979b86e28d23f2c7\n{"dir":false,"path":"moved.bin"}\n0123456789',
  )
})

test('an administrator adds a user from a script', async () => {
  const answer = await script(`
    TOKEN=$(curl -sf -d "{\\"username\\":\\"admin\\",\\"password\\":\\"$ADMIN_PASS\\"}" "$URL/api/login")
    curl -sf -o /dev/null -w '%{http_code} ' -H "X-Auth: $TOKEN" "$URL/api/users" -d "{\\"what\\":\\"user\\",\\"which\\":[],\\"current_password\\":\\"$ADMIN_PASS\\",\\"data\\":{\\"username\\":\\"bo\\",\\"password\\":\\"$PASS\\",\\"scope\\":\\"/bo\\",\\"perm\\":{\\"create\\":true,\\"download\\":true}}}"
    curl -sf -H "X-Auth: $TOKEN" "$URL/api/users" | grep -o '"username":"bo"'`)
  expect(answer).toBe('201 "username":"bo"\n')
})
