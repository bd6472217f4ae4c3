import { isCurrentSql } from '../components/manual-status.rules.js';
import { hasUpstreamOutageSql } from '../components/upstream/upstream.rules.js';
import { presentSql } from '../notices/notice.states.js';

/** The condition that a notice is ongoing, or that a person or an upstream says that a component is not operational. */
export const isDegradedPageSql = (pageId: string): string => `(
  exists (select 1 from notice n where n.page_id = ${pageId} and ${presentSql('n.state')})
  or exists (select 1 from manual_status m
    where m.page_id = ${pageId} and ${isCurrentSql('m')} and m.state <> 'operational')
  or ${hasUpstreamOutageSql(pageId)})`;
