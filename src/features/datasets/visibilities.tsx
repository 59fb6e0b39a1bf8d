import Globe from 'lucide-react/icons/globe'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'

/** Who can read a dataset, and what that means. */
export const VISIBILITIES = [
  {
    value: 'private',
    label: 'Private',
    hint: 'Only keys of this workspace that may read it.',
    icon: <LockKeyhole aria-hidden />,
  },
  {
    value: 'public',
    label: 'Public',
    hint: 'Anyone with a key of this service, of any workspace, can read all of it.',
    icon: <Globe aria-hidden />,
  },
] as const
