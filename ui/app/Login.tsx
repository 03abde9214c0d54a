import { type ComponentType, Suspense } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'

/** Loaded only for those who are not signed in. */
const LoginPage = lazyPart(loadLoginPage)

let loaded: ComponentType | undefined

/** Loads the page of the sign-in, so that it is shown at once. */
export async function loadLoginPage(): Promise<ComponentType> {
  loaded = (await import('#ui/pages/LoginPage.tsx')).LoginPage
  return loaded
}

/** The page of the sign-in. */
export function Login() {
  const Page = loaded
  // React shows a part that loads a moment late, even if it is there already.
  if (Page) return <Page />
  return (
    <Suspense>
      <LoginPage />
    </Suspense>
  )
}
