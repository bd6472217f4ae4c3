-- 10,000 more notices on page 00000001, each with 3 updates and 2 components.
with created as (
  insert into notice (page_id, type, subject, synopsis, state, began_at, ended_at, path, tag_list, named_components,
    created_at, updated_at)
  select '00000001', 'unplanned', 'Elevated error rates number ' || n, 'The team is applying a change.' || E'\n',
    'resolved', at, at + interval '2 hours', substr(md5('many' || n), 1, 16) || '-elevated', '{}', true, at, at
  from (select n, timestamptz '2025-01-01' + n * interval '50 minutes' as at from generate_series(1, 10000) n) numbered
  returning id, page_id, created_at
), updates as (
  insert into notice_update (notice_id, content, should_publish, posted_at, created_at, updated_at)
  select id,
    'Update ' || u || ' for this notice: the team has identified a likely cause and is applying a change. '
      || md5(id::text || u),
    false, created_at + u * interval '5 minutes', created_at + u * interval '5 minutes', created_at + u * interval '5 minutes'
  from generate_series(1, 3) u, created
)
insert into notice_component (notice_id, component_id)
  select created.id, component.id from created join component on component.page_id = created.page_id
    and component.position in (1 + created.id % 5, 6 + created.id % 5);

analyze;
