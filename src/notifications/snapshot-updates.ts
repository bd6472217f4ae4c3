import { compileTimestamp } from '../records/table-sql.js';

/** Of the updates in a message snapshot: characters of all texts together. The newest one always fits. */
const maxLength = 100_000;
export const maxUpdates = 10;

/** A time of a row `n` or `u` as a member of a JSON object. */
export const timestampPairSql = (column: string) => {
  const name = column.replace(/^.*\./, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `'${name}', ${compileTimestamp(column)}`;
};

const updateSql = `jsonb_build_object(
  'id', u.id, 'content', u.content, 'kind', u.kind, 'state', u.state, ${timestampPairSql('u.created_at')})`;

/**
 * The newest updates of the notice `n`, for its messages. Not the unpublished ones: they are on the public page, but no
 * message contains them, later ones included.
 */
export const updatesSql = `(select coalesce(jsonb_agg(${updateSql} order by u.id desc), '[]')
  from (select newest.*, sum(char_length(newest.content)) over (order by newest.id desc) as so_far
    from (select * from notice_update where notice_id = n.id and should_publish
      order by id desc limit ${maxUpdates}) newest) u
  where u.so_far <= ${maxLength})`;
