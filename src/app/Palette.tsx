import { Dialog } from '@base-ui/react/dialog'
import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot, defaultFilter } from 'cmdk'
import { useQuery } from '@tanstack/react-query'
import Bookmark from 'lucide-react/icons/bookmark'
import BookOpen from 'lucide-react/icons/book-open'
import Database from 'lucide-react/icons/database'
import FilePlus from 'lucide-react/icons/file-plus'
import HardDrive from 'lucide-react/icons/hard-drive'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Plus from 'lucide-react/icons/plus'
import Sun from 'lucide-react/icons/sun'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { topicKey, useSessionState, useSessionStore } from '../session/context.tsx'
import { SECTIONS } from '../features/settings/sections.ts'
import { PALETTE_NAME, useCommands, type Command } from '../ui/commands.ts'
import { giveFocusBack } from '../ui/focus.ts'
import { setTheme } from '../ui/theme.ts'
import { useHandover } from './handover.tsx'
import { SCREENS } from './screens.ts'
import { switchWorkspace } from './switch-workspace.ts'
import css from './Palette.module.css'

const THEMES: readonly Command[] = [
  { id: 'theme-system', group: 'Theme', label: 'Theme: system', icon: <Monitor />, run: () => setTheme('system') },
  {
    id: 'theme-light',
    group: 'Theme',
    label: 'Theme: light',
    icon: <Sun />,
    keywords: ['bright'],
    run: () => setTheme('light'),
  },
  {
    id: 'theme-dark',
    group: 'Theme',
    label: 'Theme: dark',
    icon: <Moon />,
    keywords: ['night'],
    run: () => setTheme('dark'),
  },
]

/** Commands from a list that may still be loading. */
interface Listed {
  readonly commands: readonly Command[]
  readonly isLoading: boolean
}

/** Commands to switch to another workspace of this browser or of the server. */
function useWorkspaceCommands(): Listed {
  const store = useSessionStore()
  const state = useSessionState()
  const session = state.status === 'ready' ? state.session : null
  const { data, isLoading } = useQuery({
    queryKey: session ? topicKey(session, 'workspaces') : ['service', null],
    queryFn: ({ signal }) => session?.console?.workspaces({ signal }) ?? [],
    enabled: Boolean(session?.console),
  })
  const commands = (data ?? [])
    .filter(({ id }) => id !== session?.workspaceId)
    .map(({ id, name, slug }) => ({
      id: `workspace-${id}`,
      group: 'Workspace',
      label: `Switch to ${name}`,
      icon: <HardDrive />,
      keywords: [slug],
      run: () => void switchWorkspace(store, { id, name }),
    }))
  return { commands, isLoading }
}

/** Commands to open this workspace's datasets. */
function useDatasetCommands(): Listed {
  const navigate = useNavigate()
  const state = useSessionState()
  const session = state.status === 'ready' ? state.session : null
  const { data, isLoading } = useQuery({
    queryKey: session ? topicKey(session, 'datasets', 'palette') : ['service', null, 'datasets'],
    queryFn: ({ signal }) => session?.api.listDatasets({ signal }) ?? [],
    enabled: session !== null,
  })
  const commands = (data ?? []).map(({ id, name }) => ({
    id: `dataset-${id}`,
    group: 'Datasets',
    label: name,
    icon: <Database />,
    run: () => void navigate(`/datasets/${id}`),
  }))
  return { commands, isLoading }
}

/** Commands to open the saved queries. */
function useSavedCommands(): Listed {
  const navigate = useNavigate()
  const { data, isLoading } = useQuery({
    queryKey: ['saved-queries'],
    queryFn: async () => (await import('../features/sql/database.ts')).createSqlDatabase().saved(),
    staleTime: 0,
  })
  const commands = (data ?? []).map(({ id, name, description }) => ({
    id: `saved-${id}`,
    group: 'Saved queries',
    label: name,
    icon: <Bookmark />,
    keywords: ['saved query', 'sql', ...(description ? [description] : [])],
    run: () => void navigate(`/sql/saved/${encodeURIComponent(id)}`),
  }))
  return { commands, isLoading }
}

/** Commands to go to screens, sections of Settings, and the API reference. */
function usePlaces(): readonly Command[] {
  const navigate = useNavigate()
  const sections = SECTIONS.map(({ id, ...section }) => ({ ...section, path: `/settings/${id}` }))
  const reference = {
    path: '/reference',
    label: 'API reference',
    icon: BookOpen,
    keywords: ['openapi', 'curl', 'docs'],
  }
  return [...SCREENS, ...sections, reference].map(({ path, label, icon: Icon, ...place }) => ({
    id: path,
    group: 'Go to',
    label,
    icon: <Icon />,
    keywords: 'keywords' in place ? (place.keywords ?? []) : [],
    run: () => void navigate(path),
  }))
}

/**
 * Actions that are available on every screen.
 * @param offered the screen's own commands, which aren't listed twice
 */
function useActions(offered: readonly Command[]): readonly Command[] {
  const navigate = useNavigate()
  const { convert, query } = useHandover()
  const pick = (): void => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    input.addEventListener('change', () => convert([...(input.files ?? [])]))
    input.click()
  }
  const group = 'Begin'
  const actions: readonly Command[] = [
    { id: 'begin-files', group, label: 'Add files…', icon: <FilePlus />, keywords: ['open', 'convert'], run: pick },
    {
      id: 'begin-dataset',
      group,
      label: 'New dataset',
      icon: <Plus />,
      keywords: ['create', 'publish'],
      run: () => void navigate('/datasets?new='),
    },
    {
      id: 'begin-query',
      group,
      label: 'New query',
      icon: <Plus />,
      keywords: ['sql'],
      run: () => query({ kind: 'statement', text: '' }),
    },
  ]
  return actions.filter(({ label }) => !offered.some((other) => other.label === label))
}

/** Returns the focus when the palette closes, unless a command has moved it. */
function useFocusAfter(): void {
  const [had] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog only returns it to a button of its own.
      setTimeout(() => giveFocusBack(had), 50)
    },
    [had],
  )
}

/** Identifies a command's item. */
const valueOf = ({ label, id }: Command): string => `${label} ${id}`

/** The commands that match what is typed, the best first. */
function matching(commands: readonly Command[], search: string): readonly Command[] {
  if (search === '') return commands
  return commands
    .map((command) => ({ command, score: defaultFilter(valueOf(command), search, [...(command.keywords ?? [])]) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

/** Finds and runs commands by typing. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  useFocusAfter()
  const offered = useCommands()
  const lists = [useSavedCommands(), useDatasetCommands(), useWorkspaceCommands()]
  const isLoading = lists.some((list) => list.isLoading)
  const [search, setSearch] = useState('')
  const commands = matching(
    [...usePlaces(), ...useActions(offered), ...offered, ...lists.flatMap((list) => list.commands), ...THEMES],
    search,
  )
  const [chosen, setChosen] = useState('')
  // cmdk itself selects nothing if commands arrive while it filters what has been typed.
  const selected = commands.find((command) => valueOf(command) === chosen) ?? commands[0]
  const run = (command: Command): void => {
    onClose()
    command.run()
  }
  // Enter that comes while the lists are loading and nothing matches yet runs what matches then.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (!isAwaited.current || !selected) return
    isAwaited.current = false
    run(selected)
  })
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.overlay} />
        <Dialog.Popup className={css.content} aria-label={PALETTE_NAME}>
          <CommandRoot
            label={PALETTE_NAME}
            className={css.palette}
            loop
            shouldFilter={false}
            value={selected ? valueOf(selected) : ''}
            onValueChange={setChosen}
            onKeyDown={({ key }) => {
              isAwaited.current = key === 'Enter' && isLoading && !selected
            }}
          >
            <CommandInput
              value={search}
              onValueChange={(text) => {
                setSearch(text)
                setChosen('')
              }}
              placeholder="What do you want to do?"
              className={css.input}
            />
            <CommandList className={css.list} label={PALETTE_NAME}>
              <CommandEmpty className={css.empty}>{isLoading ? 'Looking…' : 'Nothing matches that.'}</CommandEmpty>
              {[...new Set(commands.map(({ group }) => group))].map((group) => (
                <CommandGroup key={group} heading={group} className={css.group}>
                  {commands
                    .filter((command) => command.group === group)
                    .map((command) => (
                      <CommandItem
                        key={command.id}
                        value={valueOf(command)}
                        className={css.item}
                        onSelect={() => run(command)}
                      >
                        {command.icon}
                        {command.label}
                      </CommandItem>
                    ))}
                </CommandGroup>
              ))}
            </CommandList>
          </CommandRoot>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
