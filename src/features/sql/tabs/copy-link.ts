import { announce } from '../../../ui/announce.ts'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/toasts.ts'
import type { SqlTab } from '../types.ts'
import { linkTo, LONGEST_LINK } from './link.ts'

/** Copies the address that opens the tab's SQL, and says what it holds and what not. */
export async function copyLink({ text, parameters }: Pick<SqlTab, 'text' | 'parameters'>): Promise<void> {
  // `/sql/<tab>`: the tab is this browser's own, the SQL isn't.
  const page = location.href.replace(/[#?].*$/, '').replace(/\/sql(\/[^/]*)?$/, '/sql')
  const link = await linkTo(text, page)
  if (link === null) {
    toast({
      title: 'The SQL is too long for a link',
      description: `A link may have ${formatCount(LONGEST_LINK)} characters. Use “Download as .sql” and send the file.`,
      tone: 'bad',
    })
    return
  }
  try {
    await navigator.clipboard.writeText(link)
  } catch {
    toast({ title: 'The browser didn’t allow copying', description: 'Use “Download as .sql” instead.', tone: 'bad' })
    return
  }
  announce('Link copied')
  const without = Object.keys(parameters).length > 0 ? 'the values of parameters and the data aren’t' : 'no data is'
  toast({ title: 'Link copied', description: `It holds the SQL itself; ${without}. Opening it runs nothing.` })
}
