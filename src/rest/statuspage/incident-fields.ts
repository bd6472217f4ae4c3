import type { Impact } from '../../notices/impact.rules.js';
import { maxContentLength } from '../../notices/notice-text.rules.js';
import type { ComponentStatus } from '../../notices/statuspage.rules.js';
import type { Metadata } from '../../pages/metadata.js';
import { Fields } from './fields.js';
import type { IncidentRecord } from './incident-record.js';
import { changeMetadata, readChanges, readStored, type StoredFields } from './stored-fields.js';

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

/** Null: as it is. A component that is operational again stays named, so that its subscribers hear of the end. */
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

export const toAffectedComponents = (impacts: ReadonlyMap<string, Impact>) =>
  [...impacts].map(([componentId, impact]) => ({ componentId, impact: impactNames[impact] }));

const maximumSubjectLength = 255;

/** The fields of an incident. It is opened, whatever is wrong with a detail. */
export class IncidentFields extends Fields {
  /** Whether the status is one that only maintenance has: an incident would notify people of an outage. */
  hasMaintenanceStatus(): boolean {
    return ['scheduled', 'in_progress', 'verifying'].includes(this.text('status')?.trim().toLowerCase() ?? '');
  }

  subject(): string | undefined {
    return this.cutText('name', maximumSubjectLength);
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
    const changes = readChanges(this, known, current);
    const operational = this.operational(current);
    return changeMetadata(
      current,
      { ...changes, ...(operational !== undefined && { operational }) },
      this.object('metadata'),
    );
  }

  /** The components that were last sent as operational. Null: none. Undefined: the request has no statuses. */
  private operational(current: IncidentRecord | null): string[] | null | undefined {
    const statuses = this.map('components');
    if (!statuses) return undefined;
    const before = readStored(current).operational;
    const others = Array.isArray(before) ? before.filter(id => !statuses.has(id)) : [];
    const sent = [...statuses].flatMap(([id, status]) => (status?.trim().toLowerCase() === 'operational' ? [id] : []));
    return others.length + sent.length ? [...others, ...sent] : null;
  }

  /** The impacts on components that a request names, with those of the incident as it is. Undefined: it names none. */
  impacts(current: IncidentRecord | null): Map<string, Impact> | undefined {
    const ids = this.list('component_ids');
    const statuses = this.map('components');
    if (!ids && !statuses) return undefined;
    const before = new Map(current?.affectedComponents.map(({ component, impact }) => [String(component.id), impact]));
    const impacts = ids ? new Map(ids.map(id => [id, before.get(id) ?? 'degraded'])) : before;
    for (const [id, status] of statuses ?? []) {
      const impact = status ? this.lookUp('components', status, statusImpacts) : null;
      impacts.set(id, impact ?? impacts.get(id) ?? 'degraded');
    }
    impacts.delete('');
    return impacts;
  }
}
