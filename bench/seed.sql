-- 1,000 notices on 40 pages, 25 a page, inserted in turn, so that those of one page are not stored side by side.
-- Each has 3 updates and names 2 of the 10 components of its page. The measured page is 00000001.
insert into page (id, name, created_at, updated_at)
  select lpad(to_hex(p), 8, '0'), 'Page ' || p, timestamptz '2026-01-01', timestamptz '2026-01-01'
  from generate_series(1, 40) p;

insert into brand (page_id, created_at, updated_at)
  select id, created_at, updated_at from page;

insert into component (page_id, name, description, position, created_at, updated_at)
  select page.id, 'Component ' || c, 'Part ' || c || ' of ' || page.name, c, page.created_at, page.updated_at
  from generate_series(1, 10) c, page
  order by c, page.id;

-- The 25 of a page are 20 incidents, 4 maintenances and 1 announcement.
insert into notice (
    page_id, type, subject, synopsis, state,
    begins_at, ends_at, began_at, ended_at,
    path, tag_list, named_components, created_at, updated_at
  )
  select lpad(to_hex(1 + n % 40), 8, '0'), type,
    'Elevated error rates number ' || n || ' in ' || substr(md5(n::text), 1, 10),
    'Update 1 for this notice: the team has identified a likely cause and is applying a change. '
      || md5(n::text || 1) || E'\n',
    case type
      when 'planned' then (array['scheduled', 'underway', 'complete', 'cancelled'])[1 + nth % 4]
      when 'unplanned' then
        (array['investigating', 'identified', 'recovering', 'resolved', 'resolved', 'resolved'])[1 + nth % 6]
    end,
    case type when 'planned' then at end,
    case type when 'planned' then at + interval '1 hour' end,
    at,
    case when nth % 3 = 0 then at + interval '2 hours' end,
    substr(md5('path' || n), 1, 16) || '-elevated-error-rates-number-' || n,
    case when nth % 7 = 0 then array['db', 'tag' || n] else '{}' end,
    true, at, at
  from (
    select n, n / 40 as nth,
      case when n / 40 = 12 then 'general' when n / 40 % 6 = 5 then 'planned' else 'unplanned' end as type,
      timestamptz '2026-01-01' + n * interval '3 minutes' as at
    from generate_series(0, 999) n
  ) numbered;

insert into notice_update (notice_id, content, should_publish, posted_at, created_at, updated_at)
  select id,
    'Update ' || u || ' for this notice: the team has identified a likely cause and is applying a change. '
      || md5(id::text || u),
    u = 1, created_at + u * interval '5 minutes', created_at + u * interval '5 minutes', created_at + u * interval '5 minutes'
  from generate_series(1, 3) u, notice
  order by u, id;

insert into notice_component (notice_id, component_id)
  select notice.id, component.id
  from notice join component on component.page_id = notice.page_id
    and component.position in (1 + notice.id % 5, 6 + notice.id % 5);
