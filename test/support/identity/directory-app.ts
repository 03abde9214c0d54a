/** A server whose users log in with a directory. */
import type { DirectoryOptions } from '#wire/api/directory.ts'
import { API } from '#wire/api/routes.ts'
import { clientWith } from '../server/client.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import { READER_PASSWORD, startDirectory, type TestDirectory } from './directory.ts'
import { currentUser } from './identity-app.ts'

export interface DirectoryApp extends TestApp {
  directory: TestDirectory
  /** Sets the options of the directory `office`. */
  setDirectory(options?: Partial<DirectoryOptions>, change?: object): Promise<Response>
  /** Logs in. @returns the name of the user, or status and reason */
  logIn(username: string, password: string): Promise<string>
}

export async function openDirectoryApp(): Promise<DirectoryApp> {
  const app = await openTestApp()
  const directory = await startDirectory()
  let isKnown = false
  const setDirectory: DirectoryApp['setDirectory'] = async (options = {}, change = {}) => {
    const body = {
      current_password: app.server.password,
      directory: {
        id: 'office',
        label: 'Office',
        bindPassword: READER_PASSWORD,
        isEnabled: true,
        options: { ...directory.options, newAccounts: 'all', ...options },
        ...change,
      },
    }
    const answer = isKnown
      ? await app.admin.call('PUT', `${API.identityDirectories}/office`, body)
      : await app.admin.call('POST', API.identityDirectories, body)
    if (answer.ok) isKnown = true
    return answer
  }
  const answer = await setDirectory()
  if (!answer.ok) throw new Error(await answer.text())
  return {
    ...app,
    directory,
    setDirectory,
    async logIn(username, password) {
      const response = await app.anonymous.call('POST', API.login, { username, password })
      const token = await response.text()
      if (!response.ok) return `${response.status} ${response.headers.get('x-fault')}`
      const user = await currentUser(clientWith(app.url, token))
      return user.perm.admin ? `${user.username}, administrator` : user.username
    },
    async stop() {
      await directory.remove()
      await app.stop()
    },
  }
}
