import { Command as Cmdk } from 'cmdk'
import { useQuery } from '@tanstack/react-query'
import Bookmark from 'lucide-react/icons/bookmark'
import BookOpen from 'lucide-react/icons/book-open'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import ChartColumn from 'lucide-react/icons/chart-column'
import Database from 'lucide-react/icons/database'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import HardDrive from 'lucide-react/icons/hard-drive'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Plug from 'lucide-react/icons/plug'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useNavigate } from 'react-router'
import { topicKey, useSessionState, useSessionStore } from '../session/context.tsx'
import { useCommands, type Command } from '../ui/commands.ts'
import { setTheme } from '../ui/theme.ts'
import { SCREENS } from './screens.ts'
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

/** Addresses that the rail has no room for. */
const PLACES: readonly (Pick<Command, 'label' | 'icon' | 'keywords'> & { readonly path: string })[] = [
  { path: '/settings/connection', label: 'Connection', icon: <Plug />, keywords: ['service', 'url', 'settings'] },
  { path: '/settings/keys', label: 'API keys', icon: <KeyRound />, keywords: ['scopes', 'settings'] },
  { path: '/settings/usage', label: 'Usage', icon: <ChartColumn />, keywords: ['limits', 'storage', 'quota'] },
  { path: '/settings/workspaces', label: 'Workspaces', icon: <LayoutGrid />, keywords: ['settings'] },
  { path: '/settings/backup', label: 'Backup', icon: <DatabaseBackup />, keywords: ['restore', 'export', 'erase'] },
  {
    path: '/settings/about',
    label: 'Help and what’s new',
    icon: <CircleHelp />,
    keywords: ['version', 'shortcuts', 'about'],
  },
  { path: '/reference', label: 'API reference', icon: <BookOpen />, keywords: ['openapi', 'curl', 'docs'] },
]

/** The other workspaces of this browser. */
function useWorkspaceCommands(): readonly Command[] {
  const store = useSessionStore()
  const state = useSessionState()
  const session = state.status === 'ready' ? state.session : null
  const { data } = useQuery({
    queryKey: session ? topicKey(session, 'workspaces') : ['service', null],
    queryFn: ({ signal }) => session?.console?.workspaces({ signal }) ?? [],
    enabled: Boolean(session?.console),
  })
  return (data ?? [])
    .filter(({ id }) => id !== session?.workspaceId)
    .map(({ id, name, slug }) => ({
      id: `workspace-${id}`,
      group: 'Workspace',
      label: `Switch to ${name}`,
      icon: <HardDrive />,
      keywords: [slug],
      run: () => void store.switchWorkspace(id),
    }))
}

/** The datasets of this workspace, each to be opened. */
function useDatasetCommands(): readonly Command[] {
  const navigate = useNavigate()
  const state = useSessionState()
  const session = state.status === 'ready' ? state.session : null
  const { data } = useQuery({
    queryKey: session ? topicKey(session, 'datasets', 'palette') : ['service', null, 'datasets'],
    queryFn: ({ signal }) => session?.api.listDatasets({ signal }) ?? [],
    enabled: session !== null,
  })
  return (data ?? []).map(({ id, name }) => ({
    id: `dataset-${id}`,
    group: 'Datasets',
    label: name,
    icon: <Database />,
    run: () => void navigate(`/datasets/${id}`),
  }))
}

/** The queries that were saved, each with a page of its own. */
function useSavedCommands(): readonly Command[] {
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: ['saved-queries'],
    queryFn: async () => (await import('../features/sql/database.ts')).createSqlDatabase().saved(),
    staleTime: 0,
  })
  return (data ?? []).map(({ id, name, description }) => ({
    id: `saved-${id}`,
    group: 'Saved queries',
    label: name,
    icon: <Bookmark />,
    keywords: ['saved query', 'sql', ...(description ? [description] : [])],
    run: () => void navigate(`/sql/saved/${encodeURIComponent(id)}`),
  }))
}

/** Everything that can be done from here, found by typing. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const offered = useCommands()
  const workspaces = useWorkspaceCommands()
  const datasets = useDatasetCommands()
  const saved = useSavedCommands()
  const screens = SCREENS.map(({ path, label, icon: Icon }): Command => ({
    id: path,
    group: 'Go to',
    label,
    icon: <Icon />,
    run: () => void navigate(path),
  }))
  const places = PLACES.map(({ path, ...place }): Command => ({
    ...place,
    id: path,
    group: 'Go to',
    run: () => void navigate(path),
  }))
  const groups = Map.groupBy(
    [...screens, ...places, ...offered, ...saved, ...datasets, ...workspaces, ...THEMES],
    (command) => command.group,
  )
  return (
    <Cmdk.Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      label="Commands"
      overlayClassName={css.overlay ?? ''}
      contentClassName={css.content ?? ''}
      className={css.palette}
      loop
    >
      <Cmdk.Input placeholder="What do you want to do?" aria-label="Find a command" className={css.input} />
      <Cmdk.List className={css.list} label="Commands">
        <Cmdk.Empty className={css.empty}>No command matches that.</Cmdk.Empty>
        {[...groups].map(([group, commands]) => (
          <Cmdk.Group key={group} heading={group} className={css.group}>
            {commands.map((command) => (
              <Cmdk.Item
                key={command.id}
                value={`${command.label} ${command.id}`}
                keywords={[...(command.keywords ?? [])]}
                className={css.item}
                onSelect={() => {
                  onClose()
                  command.run()
                }}
              >
                {command.icon}
                {command.label}
              </Cmdk.Item>
            ))}
          </Cmdk.Group>
        ))}
      </Cmdk.List>
    </Cmdk.Dialog>
  )
}
