import type { Catalogue } from './catalogue.js';
import { catalogue as european } from './pt.js';

/** Brazilian Portuguese: only what differs from European Portuguese. */
export const catalogue: Catalogue = {
  ...european,

  'page.skip': 'Pular para o conteúdo',

  'banner.degraded.one': '{component}: desempenho degradado',
  'banner.degraded.unnamed': 'Estamos enfrentando problemas',
  'banner.maintenance.unnamed': 'Manutenção em andamento',

  'banner.major-outage.all': 'Nenhum sistema está funcionando',

  'state.false_alarm': 'Alarme falso',
  'state.underway': 'Em andamento',
  'state.general': 'Comunicado',

  'notice.back': 'Voltar ao status atual',

  'history.state': 'Status',
  'history.nextMonth': 'Próximo mês',
  'history.noNotices': 'Nenhum aviso neste mês',
  'history.firstUpdate': 'Tempo mediano até a primeira atualização: {duration}',

  'uptime.title': 'Como a disponibilidade é calculada',

  'maintenance.furtherDates': 'Próximas datas: {dates}',
  'maintenance.calendar': 'Adicionar à agenda',

  'general.title': 'Comunicados',

  'past.quietDay': 'Nenhum incidente registrado',

  'list.nextPage': 'Próxima página',

  'subscribe.title': 'Assinar atualizações',
  'subscribe.button': 'Assinar',
  'subscribe.phoneHint': 'Com o código do país, por exemplo {example}',
  'subscribe.kinds': 'Sobre o que você quer receber avisos?',
  'kinds.general': 'Comunicados',
  'subscribe.allComponents': 'Todos os componentes, inclusive os futuros',
  'subscribe.onlyThese': 'Somente estes, com tudo o que contêm',
  'subscribe.checkMail': 'Confira sua caixa de entrada',
  'subscribe.mailSent':
    'Um e-mail com um link está a caminho de {address}. Abra o link para continuar; até lá, nada mais é enviado.',
  'subscribe.checkPhone': 'Digite o código',
  'subscribe.codeSent': 'Um código de 6 dígitos está a caminho de {address}. Ele vale por 10 minutos.',
  'subscribe.confirmTitle': 'Confirme sua inscrição',
  'subscribe.confirmText': '{address} quer receber as atualizações de {page}.',
  'subscribe.confirmed': 'Você está inscrito',
  'subscribe.mailSubject': 'Confirme sua inscrição em {page}',
  'subscribe.mailText':
    'Alguém, provavelmente você, quer receber neste endereço as atualizações de {page}. Confirme em até 7 dias.',
  'subscribe.mailIgnore': 'Não foi você? Ignore este e-mail, e nenhum outro virá.',
  'subscribe.smsText': '{code} é o seu código para {page}. Ele vale por 10 minutos.',
  'subscribe.webhookContact': 'Escrevemos para este endereço se o webhook parar de funcionar.',
  'subscribe.linkPosted': 'Uma mensagem com um link de confirmação está a caminho de {address}.',
  'subscribe.webhookHelp': 'Como criar uma URL no {name}',
  'subscribe.webhookSecret': 'Verifique o que você recebe com este segredo. Ele não será exibido novamente:',
  'subscribe.webhookStopped': 'As atualizações para {address} foram suspensas',
  'subscribe.webhookFailed':
    '{address} não aceitou as atualizações de {page}. Nada será enviado para lá até que você salve sua assinatura novamente.',

  'preferences.title': 'Sua inscrição',
  'preferences.change': 'Alterar ou cancelar uma inscrição',
  'preferences.askText': 'Enviaremos a você uma mensagem com a qual poderá alterar sua inscrição.',
  'preferences.sent': 'Se {address} estiver inscrito, uma mensagem está a caminho.',
  'preferences.save': 'Salvar',
  'preferences.saved': 'Suas escolhas foram salvas',
  'preferences.mailText':
    'Este endereço recebe as atualizações de {page}. Com este link você pode alterar ou cancelar a inscrição; ele vale por 1 hora.',

  'unsubscribe.done': 'Sua inscrição foi cancelada',
  'unsubscribe.doneText': '{address} não recebe mais as atualizações de {page}.',
  'unsubscribe.otherAddress':
    'Ele é de uma mensagem para um endereço que não recebe mais as atualizações de {page}. Para deixar de recebê-las em outro endereço, use o link da mensagem mais recente que chegou lá.',

  'private.title': 'Esta página é privada',
  'private.password': 'Senha',
  'private.open': 'Abrir',
  'private.emailText': 'Digite seu endereço de e-mail. Se ele puder ver esta página, enviaremos um código.',
  'private.codeSent':
    'Se {address} puder ver esta página, um código de 8 dígitos está a caminho. Ele é válido por 10 minutos.',
  'private.members': 'Esta página é para pessoas com um papel nela.',
  'private.signIn': 'Entrar',
  'private.feeds': 'Seus endereços de feeds',
  'private.feedsText': 'Eles contêm uma chave só sua. Quem a tiver vê esta página, portanto mantenha-a em segredo.',
  'problem.title': 'Verifique os dados informados',
  'problem.email': 'Digite um endereço de e-mail, por exemplo {example}',
  'problem.phone': 'Digite um número de telefone com o código do país, por exemplo {example}',
  'problem.url': 'Digite um endereço que comece com https://',
  'problem.components': 'Um dos componentes não existe mais. Escolha novamente',
  'problem.noComponents': 'Escolha pelo menos um componente, ou todos os componentes',
  'problem.password': 'Esta senha está errada',
  'problem.code': 'Este código está errado ou não é mais válido',
  'problem.link': 'Este link não é válido',
  'problem.linkText': 'Ele expirou ou já foi usado. Você pode pedir um novo.',
  'problem.tooOften': 'Solicitações demais',
  'problem.away': 'Isto não é possível no momento',
  'problem.awayText': 'Nada foi alterado. Tente novamente em alguns minutos.',

  'footer.feedOfUpdates': 'RSS para Slack e Teams',
  'footer.feeds': 'Feeds',
  'footer.privacy': 'Política de privacidade',
  'footer.terms': 'Termos de uso',
  'footer.zone': 'Os horários estão no fuso horário {zone}',

  'support.title': 'Suporte',

  'mail.why': 'Você recebe esta mensagem porque se inscreveu para receber as atualizações de {page}.',
  'mail.preferences': 'Alterar suas preferências',
  'mail.unsubscribe': 'Cancelar a inscrição',

  'llms.about': 'O que {page} publica sobre seu status, em formatos para programas.',
  'llms.markdown': 'O status atual em Markdown',
  'llms.json': 'O status atual em JSON',

  'time.yours': 'Seu horário',
};
