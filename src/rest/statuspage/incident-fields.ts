import { defaultImpact, type Impact } from '../../notices/impact.rules.js';
import { maxContentLength } from '../../notices/notice-text.rules.js';
import type { ComponentStatus } from '../../notices/statuspage.rules.js';
import type { Metadata } from '../../pages/metadata.js';
import { Fields } from './fields.js';
import type { IncidentRecord } from './incident-record.js';
import { changeMetadata, readChanges, type StoredFields } from './stored-fields.js';

/** The words of maintenance and of incidents for their ends are taken from each other. */
export const incidentStates = {
  investigating: 'INVESTIGATING',
  identified: 'IDENTIFIED',
  monitoring: 'RECOVERING',
  resolved: 'RESOLVED',
  completed: 'RESOLVED',
  postmortem: 'RESOLVED',
} as const;
export const maintenanceStates = {
  scheduled: 'SCHEDULED',
  in_progress: 'UNDERWAY',
  verifying: 'UNDERWAY',
  completed: 'COMPLETE',
  resolved: 'COMPLETE',
} as const;

/** Null: it is operational again, and stays named, so that its subscribers are notified of the end. */
const statusImpacts: Record<ComponentStatus, Impact | null> = {
  operational: null,
  degraded_performance: 'degraded',
  partial_outage: 'partial-outage',
  major_outage: 'major-outage',
  under_maintenance: 'degraded',
};
const impactNames: Record<Impact, string> = {
  degraded: 'DEGRADED',
  'partial-outage': 'PARTIAL_OUTAGE',
  'major-outage': 'MAJOR_OUTAGE',
};

/** What an incident says of a component that it names. */
export interface NamedComponent {
  impact: Impact;
  /** Undefined: the request does not say. */
  hasRecovered?: boolean;
}

export const toAffectedComponents = (named: ReadonlyMap<string, NamedComponent>) =>
  [...named].map(([componentId, { impact, ...rest }]) => ({ componentId, impact: impactNames[impact], ...rest }));

const maxSubjectLength = 255;

/** The fields of an incident. It is opened, whatever is wrong with a detail. */
export class IncidentFields extends Fields {
  /** Whether the status is one that only maintenance has: an incident would notify people of an outage. */
  hasMaintenanceStatus(): boolean {
    return ['scheduled', 'in_progress', 'verifying'].includes(this.text('status')?.trim().toLowerCase() ?? '');
  }

  subject(): string | undefined {
    return this.cutText('name', maxSubjectLength);
  }

  /** The text of an update; `message` is its name in earlier versions of the API. */
  content(): string | undefined {
    return this.cutText('body', maxContentLength) ?? this.cutText('message', maxContentLength);
  }

  /** All Clear has one switch for both. */
  automation(): boolean | undefined {
    const flags = [this.flag('scheduled_auto_in_progress'), this.flag('scheduled_auto_completed')];
    return flags.every(flag => flag === undefined) ? undefined : flags.includes(true);
  }

  /** Reminders of Statuspage are sent an hour before. */
  reminder(): 'ONE_HOUR' | 'NONE' | undefined {
    const flag = this.flag('scheduled_remind_prior');
    return flag === undefined ? undefined : flag ? 'ONE_HOUR' : 'NONE';
  }

  /** The metadata after the request: those that it has, and what is stored of its fields. */
  metadata(current: IncidentRecord | null, known: StoredFields): Metadata | undefined {
    return changeMetadata(current, readChanges(this, known, current), this.object('metadata'));
  }

  /** The components that a request names, with those of the incident as it is. Undefined: it names none. */
  namedComponents(current: IncidentRecord | null): Map<string, NamedComponent> | undefined {
    const ids = this.ids('component_ids');
    const statuses = this.map('components');
    if (!ids && !statuses) return undefined;
    const before = new Map<string, NamedComponent>(
      current?.affectedComponents.map(({ component, impact }) => [String(component.id), { impact }]),
    );
    const named = ids ? new Map(ids.map(id => [id, before.get(id) ?? { impact: defaultImpact }])) : before;
    for (const [id, status] of statuses ?? []) {
      const { impact } = named.get(id) ?? { impact: defaultImpact };
      const next = status ? this.lookUp('components', status, statusImpacts) : undefined;
      named.set(id, next === undefined ? { impact } : { impact: next ?? impact, hasRecovered: next === null });
    }
    named.delete('');
    return named;
  }
}
