//! The text that an agent leaves in the manager, so that a second one sees it.

/// Polls after which a mark is renewed.
const RENEWED: u64 = 4;
/// Polls after which whoever left a mark is taken to be gone.
const GONE: u64 = 24;

const FIRST_WORD: &str = "locox-agent";

/// What was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Who: a host and a folder.
    pub who: String,
    /// When, by the manager's clock.
    pub at: u64,
}

/// What a mark says to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// All is well.
    Nothing,
    /// It is to be renewed.
    Renew,
    /// Another agent left it so many seconds ago; after so many more it is taken to be gone.
    Other {
        /// Who.
        who: String,
        /// So many seconds ago.
        ago: u64,
        /// After so many more.
        more: u64,
    },
}

impl Mark {
    /// Reads a mark; whatever is not one was left by no agent.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (first, who, at) = (words.next()?, words.next()?, words.next()?);
        let is_one = first == FIRST_WORD && words.next().is_none();
        is_one.then_some(Self { who: who.into(), at: at.parse().ok()? })
    }

    /// The text.
    pub fn text(&self) -> String {
        format!("{FIRST_WORD} {} {}", self.who, self.at)
    }

    /// What the mark in a manager says to the agent of this name.
    pub fn says(text: &str, own: &str, now: u64, poll: u64) -> Says {
        let Some(mark) = Self::parse(text) else { return Says::Renew };
        // One that lies ahead is as good as one of now: the clock went back, and whoever left it may live. He leaves
        // one of now himself, so that it does not stay.
        let ago = now.saturating_sub(mark.at);
        if mark.who == own {
            let is_due = mark.at > now || ago >= RENEWED * poll;
            return if is_due { Says::Renew } else { Says::Nothing };
        }
        match mark.at.saturating_add(GONE * poll).saturating_sub(now) {
            0 => Says::Renew,
            more => Says::Other { who: mark.who, ago, more },
        }
    }
}

/// A name for an agent of this host and folder: no blanks, ASCII, at most 150 bytes.
pub fn name(host: &str, folder: &str) -> String {
    let plain = |c: char| if c.is_ascii_graphic() && c != '\'' && c != '"' { c } else { '_' };
    format!("{host}:{folder}").chars().map(plain).take(150).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_agent_is_seen_until_it_is_silent() {
        let mark = Mark { who: name("host", "/var/lib/a b"), at: 1000 };
        assert_eq!(Mark::parse(&mark.text()), Some(mark.clone()));
        let says = |own: &str, now| Mark::says(&mark.text(), own, now, 5);
        assert_eq!(says("host:/var/lib/a_b", 1019), Says::Nothing);
        assert_eq!(says("host:/var/lib/a_b", 1020), Says::Renew);
        let other = |ago, more| Says::Other { who: mark.who.clone(), ago, more };
        assert_eq!(says("other:/x", 1019), other(19, 101));
        // The clock went back.
        assert_eq!(says("other:/x", 999), other(0, 121));
        assert_eq!(says("other:/x", 700), other(0, 420));
        assert_eq!(says("host:/var/lib/a_b", 999), Says::Renew);
        assert_eq!(says("other:/x", 1120), Says::Renew);
        for text in ["", "something else", "locox-agent a", "locox-agent a b", "locox-agent a 1 2"]
        {
            assert_eq!(Mark::says(text, "a", 5, 5), Says::Renew, "{text}");
        }
    }
}
